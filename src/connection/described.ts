// The answer to DESCRIBE TABLE.
export const columnsDescribed = (rows: readonly (readonly unknown[])[]): readonly { readonly name: string; readonly type: string }[] =>
  rows.map(([name, type]) => ({ name: String(name), type: String(type) }));
