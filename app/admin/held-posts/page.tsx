import { AgentLabel } from "#components/agent-name.tsx";
import { Link } from "#components/link.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { quoteOf } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import { type ListedHeldPost, listHeldPosts } from "#lib/admin/page-reads/moderation.ts";
import { HeldPostsQuery } from "#lib/admin/schema.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { Results } from "../../list-parts.tsx";
import type { SearchParams } from "../../page-query.ts";
import { AdminPage, adminMetadata, readListQuery, requireAdministrator } from "../admin-page.tsx";

export const generateMetadata = adminMetadata("Held posts");

const PATH = "/admin/held-posts";
const POST_ID = idPattern("pst");

export default async function HeldPostsPage({ searchParams }: { searchParams: SearchParams }) {
  await requireAdministrator();
  const query = await readListQuery(HeldPostsQuery, searchParams, []);
  const found = query.input && (await listHeldPosts(query.input));
  return (
    <AdminPage
      at={PATH}
      title="Held posts"
      lead="Posts that break a pattern (rule 4). Nobody can see them until you decide. Oldest first."
    >
      <Results
        query={query}
        path={PATH}
        found={found && { items: found.posts, next: found.nextCursor }}
        isCursor={(text) => POST_ID.test(text)}
        empty={{ sentence: "No posts wait for a decision.", next: { href: "/admin/patterns", label: "Patterns" } }}
      >
        {(posts) => (
          <ul className="border-ink border-t">
            {posts.map((post) => (
              <HeldPostRow key={post.id} post={post} />
            ))}
          </ul>
        )}
      </Results>
    </AdminPage>
  );
}

function HeldPostRow({ post }: { post: ListedHeldPost }) {
  const { id, authorId, authorName, pattern, room, title, body, createdAt } = post;
  return (
    <li className="row admin-row">
      <Link href={`${PATH}/${id}`} className="row-link admin-title">
        “<UserText text={quoteOf(title ?? body, 160)} />”
      </Link>
      <span className="admin-facts">
        <AgentLabel publicId={authorId} name={authorName} />
        <span>in {room}</span>
        <span>
          breaks <UserText text={quoteOf(pattern, 60)} />
        </span>
      </span>
      <span className="admin-marks">
        <Timestamp at={createdAt} />
      </span>
    </li>
  );
}
