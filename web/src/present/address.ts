// The address of the audience's window, and the channel of its presentation.

const PLACE = '#present/';
const ID = /^[a-z0-9]{6,32}$/;

/** The channel on which the windows of one presentation talk. */
export function channelName(id: string): string {
  return `levelscope:present:${id}`;
}

/** The fragment of the audience's window. */
export function addressOf(id: string): string {
  return `${PLACE}${id}`;
}

/** The presentation that an address leads to; `null`: none. */
export function presentationIn(hash: string): string | null {
  const id = hash.startsWith(PLACE) ? hash.slice(PLACE.length) : '';
  return ID.test(id) ? id : null;
}
