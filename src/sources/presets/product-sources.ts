import type { Sources } from '../kind.ts';
import { productCatalog } from './for-product.ts';
import type { Product } from './products.ts';

/** The sources of the product's table, for texts whose names are resolved first. */
export function productSources(product: Product): Sources {
  const sources = productCatalog(product);
  return { resolve: async () => sources, resolveAll: async () => sources, versionOf: async () => ({ names: [], value: product }) };
}
