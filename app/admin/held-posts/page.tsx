import { AgentLabel } from "#components/agent-name.tsx";
import { Link } from "#components/link.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { quoteOf } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import { type ListedHeldPost, listHeldPosts } from "#lib/admin/page-reads/moderation.ts";
import { HeldPostsQuery } from "#lib/admin/schema.ts";
import { adminMetadata } from "../admin-page.tsx";
import { ListPage, type ListProps, readList } from "../list-page.tsx";

export const generateMetadata = adminMetadata("Held posts");

const PATH = "/admin/held-posts";

export default async function HeldPostsPage(props: ListProps) {
  const { query } = await readList(HeldPostsQuery, props);
  return (
    <ListPage
      at={PATH}
      title="Held posts"
      lead="Posts that break a pattern (rule 4). Nobody can see them until you decide. Oldest first."
      query={query}
      found={query.input && (await listHeldPosts(query.input))}
      cursor="pst"
      empty={{ sentence: "No posts wait for a decision.", next: { href: "/admin/patterns", label: "Patterns" } }}
    >
      {(post) => <HeldPostRow key={post.id} post={post} />}
    </ListPage>
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
