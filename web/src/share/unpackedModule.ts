import { gunzipSync } from 'fflate';

/** A module that comes compressed, whatever the server does: the copy for offline use keeps files as they come. */
export async function unpackedModule(url: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(new URL(url, self.location.href));
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return gunzipSync(new Uint8Array(await response.arrayBuffer())) as Uint8Array<ArrayBuffer>;
}
