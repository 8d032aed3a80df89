/** Where a post is read: in its thread, on the page that holds it. The opening post is at the thread's own address. */
export function postHref(post: { post_id: string; thread_id: string; seq: number }, openingId?: string): string {
  const thread = `/threads/${post.thread_id}`;
  return post.post_id === openingId ? thread : `${thread}?at=${post.seq}#${post.post_id}`;
}
