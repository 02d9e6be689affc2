/** A document as people read it: JSON indented by two, with a newline at the end. */
export const indentedJson = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`;
