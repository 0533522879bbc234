/** Addresses below the root of the site, from every page of it. */
/// <reference lib="dom" />

export function rootUrl(path: string): string {
  return `${document.documentElement.dataset.root}/${path}`;
}
