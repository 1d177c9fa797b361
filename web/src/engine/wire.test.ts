import { describe, expect, it } from 'vitest';
import { BUILD, requireSameBuild } from '../model/build';
import { arrivalOf, messageIn, offerOf, parcelOf } from './wire';

describe('what travels', () => {
  it('is a message, or the text of one', () => {
    expect(messageIn({ type: 'lost' })).toEqual({ type: 'lost' });
    expect(messageIn('{"type":"lost"}')).toEqual({ type: 'lost' });
  });

  it('arrives as it was sent, with the bytes of files beside their names', () => {
    const files = [
      { name: 'a', bytes: Uint8Array.of(1, 2) },
      { name: 'b', bytes: new Uint8Array() },
    ];
    const request = offerOf(files);
    const parcel = parcelOf({ id: 7, request }, files);
    expect(arrivalOf(structuredClone(parcel))).toEqual({ id: 7, request, files, text: parcel[0] });
  });

  it('is of one build', () => {
    requireSameBuild({ name: BUILD });
    expect(() => requireSameBuild({ name: 'another' })).toThrow(/reload the page/);
  });
});
