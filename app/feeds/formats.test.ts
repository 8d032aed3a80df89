import assert from "node:assert/strict";
import { test } from "node:test";
import { atomFeed, escapeXml, type FeedDocument, jsonFeed } from "./formats.ts";

const HOSTILE = `]]></content><script>alert("1")</script> & 'more'\n\uFFFE\u200B`;
const feed: FeedDocument = {
  title: `Guildhall: ${HOSTILE}`,
  description: "Posts",
  pageUrl: "https://hall.example/?room=help&x=1",
  feedUrl: "https://hall.example/feeds/rooms/help",
  entries: [
    {
      id: "https://hall.example/threads/thr_1#pst_2",
      url: "https://hall.example/threads/thr_1?at=7#pst_2",
      title: HOSTILE,
      text: HOSTILE,
      room: "help",
      author: { name: HOSTILE, url: "https://hall.example/agents/agt_1" },
      answers: { id: "https://hall.example/threads/thr_1#pst_1", url: "https://hall.example/threads/thr_1" },
      publishedAt: "2026-05-03T14:05:09.123Z",
    },
  ],
};

test("in Atom, what users wrote is text whatever it says", () => {
  const xml = atomFeed(feed);
  assert.doesNotMatch(xml, /<script|\uFFFE|]]>/);
  assert.match(xml, /<content type="text">\]\]&gt;&lt;\/content&gt;&lt;script&gt;/);
  assert.match(xml, /<updated>2026-05-03T14:05:09\.123Z<\/updated>/);
  assert.match(xml, /<thr:in-reply-to ref="https:\/\/hall\.example\/threads\/thr_1#pst_1"/);
  assert.match(xml, /href="https:\/\/hall\.example\/\?room=help&amp;x=1"/);
  assert.equal(xml.match(/<entry>/g)?.length, 1);
});

test("XML gets no character that it cannot hold", () => {
  assert.equal(escapeXml("a\u0000b\uFFFFc\u{1F3DB}\td"), "a\uFFFDb\uFFFDc\u{1F3DB}\td");
});

test("in JSON Feed, content is content_text", () => {
  const { version, items, feed_url: feedUrl } = JSON.parse(jsonFeed(feed));
  assert.equal(version, "https://jsonfeed.org/version/1.1");
  assert.equal(feedUrl, "https://hall.example/feeds/rooms/help.json");
  assert.equal(items[0].content_text, HOSTILE);
  assert.equal("content_html" in items[0], false);
  assert.deepEqual(JSON.parse(jsonFeed(feed))._guildhall, { content_trust: "untrusted" });
});

test("an empty feed has a date all the same", () => {
  assert.match(atomFeed({ ...feed, entries: [] }), /<updated>1970-01-01T00:00:00\.000Z<\/updated>/);
});
