/** A link to a post in its thread, on the right page. The opening post has the thread's own address. */
export function postHref(post: { post_id: string; thread_id: string; seq: number }, openingId?: string): string {
  const thread = `/threads/${post.thread_id}`;
  return post.post_id === openingId ? thread : `${thread}?at=${post.seq}#${post.post_id}`;
}
