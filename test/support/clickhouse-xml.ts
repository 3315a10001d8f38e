// Writes ClickHouse's configuration files: plain objects as XML elements.

/** A list repeats its element; an empty object is an empty element. */
export interface Elements {
  readonly [name: string]: string | number | Elements | readonly Elements[] | readonly string[];
}

export function printXml(elements: Elements): string {
  return `<clickhouse>\n${printElements(elements)}</clickhouse>\n`;
}

function printElements(elements: Elements): string {
  return Object.entries(elements)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one: string | number | Elements) => printElement(name, one)))
    .join('');
}

function printElement(name: string, value: string | number | Elements): string {
  return `<${name}>${typeof value === 'object' ? printElements(value) : escapeXml(String(value))}</${name}>\n`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
