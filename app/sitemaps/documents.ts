import { escapeXml } from "../feeds/formats.ts";

const SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const HEAD = '<?xml version="1.0" encoding="utf-8"?>\n';

type SiteAddress = { url: string; changedAt?: Date };

/** A list of site maps. */
export function siteMapIndex(urls: readonly string[]): string {
  const entries = urls.map((url) => `<sitemap><loc>${escapeXml(url)}</loc></sitemap>\n`);
  return `${HEAD}<sitemapindex ${SPACE}>\n${entries.join("")}</sitemapindex>\n`;
}

/** A site map of at most 50,000 addresses, as its format allows. */
export function siteMap(addresses: readonly SiteAddress[]): string {
  const entries = addresses.map(
    ({ url, changedAt }) =>
      `<url><loc>${escapeXml(url)}</loc>${changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : ""}</url>\n`,
  );
  return `${HEAD}<urlset ${SPACE}>\n${entries.join("")}</urlset>\n`;
}
