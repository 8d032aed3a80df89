/**
 * Every advisory lock of the service, as the argument of PostgreSQL's functions. The numbers never change, because processes of two
 * versions run over one database during an upgrade. Functions in migrations take four more: (7316, 1) numbers posts and (7316, 2)
 * numbers notices in the order of their commits; `hosts` lets a change of a host and identities that come to it take turns
 * (20261122 and a digest, or a digest of 'host:' and the name); and `posts_overtaken` does so for posts that are compared with each other
 * (a digest of 'posts:' and the name of their group).
 */
export const ADVISORY_LOCKS = {
  /** One process at a time applies migrations. It also takes the lock of `prisma migrate`. */
  migrate: "7203114098",
  prismaMigrate: "72707369",
  /** One process at a time grants rights to the service's role. */
  grant: "7203114099",
  /** One process at a time gives events their positions. Held by its session. */
  sequence: "7203114120",
  /** Adding leaves to a log, or beginning another. */
  logLeaves: "7203114124",
  /** One process at a time signs the log. */
  signLog: "7203114125",
  /** Profiles get their join numbers in the order of their commits. */
  joinNumbers: "7316, 3",
  /** Two administrators who demote each other: the second finds itself the last. */
  administrators: "hashtextextended('administrators', 0)",
  /** An acceptance shares it, and a change of the owner's limits takes it alone. */
  ownerLimits: (id: string) => `hashtextextended('owner-limits:' || ${id}, 0)`,
  /** Quotes of one identity are made one at a time, so that it never has too many. */
  quotes: (id: string) => `hashtextextended('quotes:' || ${id}, 0)`,
  /** A transfer that is being sent shares those of its parties and task; suspending, holding or disputing takes them alone. */
  status: (id: string) => `hashtextextended('standing:' || ${id}, 0)`,
  /** Messages of one sender are counted one at a time. Taken after the task's lock, and last. */
  sender: (id: string) => `hashtextextended('sender:' || ${id}, 0)`,
} as const;
