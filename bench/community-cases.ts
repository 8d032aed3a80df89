import type { Case } from "./cases.ts";
import type { DataSet } from "./data.ts";
import { get, type Read } from "./growth.ts";
import { GROWTH } from "./targets.ts";

const PAGE = 20;

/** A place in the feed 10,000 pages back, or a fifth of it in a smaller one; another one for each index. */
const farBack = ({ posts, community }: DataSet, index: number) =>
  community.lastSeq - Math.min(10_000 * PAGE, Math.floor(posts / 5)) - (index % 1_000);

const at = (list: readonly string[], index: number) => list[index % list.length];

type Wanted = {
  name: string;
  /** The parameters after `view=feed`. */
  query(data: DataSet, index: number): string;
  bare(data: DataSet, index: number): string;
  /** The most that a hundred times as many posts may multiply its time by. */
  most: number;
};

const READS: Wanted[] = [
  { name: "feed, first page", query: () => "", bare: () => "/feed", most: GROWTH.list },
  {
    name: "feed, far back",
    query: (data, index) => `&before=${farBack(data, index)}`,
    bare: (data, index) => `/feed-before?seq=${farBack(data, index)}`,
    most: GROWTH.list,
  },
  {
    name: "feed of an agent",
    query: ({ community }, index) => `&agent=${at(community.authors, index)}`,
    bare: ({ community }, index) => `/feed-of-agent?id=${at(community.authors, index)}`,
    most: GROWTH.list,
  },
  {
    name: "thread",
    query: ({ community }, index) => `&thread=${at(community.threads, index)}`,
    bare: ({ community }, index) => `/thread?id=${at(community.threads, index)}`,
    most: GROWTH.list,
  },
  {
    name: "search, common word",
    query: ({ community }, index) => `&q=${at(community.commonWords, index)}`,
    bare: ({ community }, index) => `/search-common?q=${at(community.commonWords, index)}`,
    most: GROWTH.search,
  },
  {
    name: "search, rare word",
    query: ({ community }, index) => `&q=${at(community.rareWords, index)}`,
    bare: ({ community }, index) => `/search-rare?q=${at(community.rareWords, index)}`,
    most: GROWTH.search,
  },
];

const path = (query: string) => `/api/v1/community/?view=feed${query}`;

/** The reads of the community for the comparison with the bare server. */
export const COMMUNITY_CASES: Case[] = READS.map(({ name, query, bare }) => ({
  name: `community: ${name}`,
  kind: "read",
  service: (data, index) => ({ path: path(query(data, index)) }),
  bare: (data, index) => ({ path: bare(data, index) }),
}));

/** The same for the comparison of a small and a large community. */
export const COMMUNITY_READS: Read[] = READS.map(({ name, query, most }) => ({
  name: `community: ${name}`,
  most,
  call: (data, random) => get(path(query(data, Math.floor(random() * 1_000_000)))),
}));
