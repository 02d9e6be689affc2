/** One part of a report, for every form of it. Cells are raw: the renderer escapes them. */
export interface Section {
  readonly title: string;
  /** One sentence under the title. */
  readonly about?: string;
  readonly columns: readonly string[];
  /** May be as long as the world: it is read once. */
  readonly rows: Iterable<readonly string[]>;
  /** What its plot shows; a section without has none. */
  readonly bars?: readonly Bar[];
}

export interface Bar {
  readonly label: string;
  /** Its length; not negative. */
  readonly value: number;
  /** What is written behind it; the value itself unless given. */
  readonly shown?: string;
}
