/** The products for whose editors there are texts; each has a preset. */
export const PRODUCTS = ['supabase'] as const;
export type Product = (typeof PRODUCTS)[number];
