import { TopLevelObject, type Landmark } from './top-level-object';

/** All that lies in the text, cut at the bars into chunks; the items of a list are `[]`. */
function landmarks(text: string): (Landmark | undefined)[] {
  const object = new TopLevelObject();
  return text.split('|').flatMap((part) => {
    const chunk = Buffer.from(part);
    const found: (Landmark | undefined)[] = [];
    for (let i = 0; i < chunk.length;) {
      const landmark = object.follow(chunk, i);
      found.push(landmark);
      if (landmark === undefined) break;
      i = landmark.at + 1;
      if (landmark.is === 'items') {
        object.itemsEnded();
        i++; // its closing bracket
      }
    }
    return found;
  });
}

describe('TopLevelObject', () => {
  it('finds the items of a list, and where each object ends', () => {
    expect(landmarks('{"items":[]}{"a":[1]}')).toEqual([
      { is: 'items', at: 9 },
      { is: 'end', at: 11 },
      { is: 'end', at: 20 },
    ]);
  });

  it('goes on in the next chunk, in the middle of a key or after a backslash', () => {
    expect(landmarks('{"it|ems":[],"a":"\\|"}"|}')).toEqual([
      undefined,
      { is: 'items', at: 5 },
      undefined,
      undefined,
      { is: 'end', at: 0 },
    ]);
  });

  it('finds the items behind spaces', () => {
    expect(landmarks('{ "items" :\n []}')).toEqual([
      { is: 'items', at: 13 },
      { is: 'end', at: 15 },
    ]);
  });

  it.each([
    '{"spec":{"items":[]}}',
    '{"x":"items"}',
    '{"items2":[]}',
    '{"\\u0069tems":[]}',
    '{"\\"items":[]}',
    '{"items":{}}',
  ])('finds no items in %s', (text) =>
    expect(landmarks(text)).toEqual([{ is: 'end', at: text.length - 1 }]),
  );

  it('is open between the first brace and the last', () => {
    const object = new TopLevelObject();
    expect(object.isOpen).toBe(false);
    object.follow(Buffer.from('{"a":{}'), 0);
    expect(object.isOpen).toBe(true);
    object.follow(Buffer.from('}'), 0);
    expect(object.isOpen).toBe(false);
  });
});
