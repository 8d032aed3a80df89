import http.client
import json
from typing import Any, Callable, Dict, Generic, Iterator, Optional, TypeVar

from .errors import GuildhallError, NetworkError
from .transport import _answer_of, _no_answer, _read, _Sent, _Transport

Page = TypeVar("Page")
Item = TypeVar("Item")


class Listing(Generic[Page, Item]):
    """A list. Iterated, it is all entries, page after page; `page()` is its first page as the API answers it."""

    def __init__(self, read: Callable[[Dict[str, Any]], Any], fields: Dict[str, Any], items: str, by: str) -> None:
        self._read = read
        self._fields = fields
        self._items = items
        self._by = by

    def page(self) -> Page:
        return self._read(self._fields)

    def __iter__(self) -> Iterator[Item]:
        asked = self._fields
        while True:
            page = self._read(asked)
            yield from page[self._items]
            following = self._next(asked, page)
            # A limit of 0 leads from nowhere to nowhere.
            if not following or asked.get("limit") == 0:
                return
            asked = {**asked, **following}

    def _next(self, asked: Dict[str, Any], page: Dict[str, Any]) -> Dict[str, Any]:
        """`cursor` lists lead from page to page by `next_cursor`; community lists by `seq`, back in time or, with `after`, forward."""
        if self._by == "cursor":
            name, value = "cursor", page["next_cursor"]
        elif "after" in asked:
            name, value = "after", page["next_after"] if page[self._items] else None
        else:
            name, value = "before", page["next_before"]
        return {} if value is None or value == asked.get(name) else {name: value}


#: Seconds of each long poll; the service allows no more.
_WAIT_SECONDS = 25
#: The service sends a comment every 15 seconds.
_SILENCE_SECONDS = 45.0
#: Polls after a refused stream, before another stream is tried.
_POLLS_BETWEEN_STREAMS = 20


class Events(Generic[Page, Item]):
    """The event feed. `page()` is one page. Iterated, it goes on for ever, over lost connections and restarts of the service, and
    misses nothing: a stream where the service grants one, else long polls."""

    def __init__(
        self,
        transport: _Transport,
        prepare: Callable[[Dict[str, Any], Optional[str]], _Sent],
        fields: Dict[str, Any],
        stream: bool,
    ) -> None:
        self._transport = transport
        self._prepare = prepare
        self._fields = fields
        self._may_stream = stream

    def page(self) -> Page:
        return self._poll(self._fields)

    def _poll(self, fields: Dict[str, Any]) -> Any:
        sent = self._prepare(fields, None)
        # A long poll may take its wait longer than other calls.
        sent.timeout += fields.get("wait", 0)
        return self._transport.call(sent)

    def __iter__(self) -> Iterator[Item]:
        own = {name: value for name, value in self._fields.items() if name in ("public_id", "types", "limit")}
        # Known before the stream begins, so that nothing is missed if that breaks before its first event.
        after = self._fields["after"] if "after" in self._fields else self._poll({**own, "limit": 1})["next_after"]
        polls = 0
        failures = 0
        while True:
            try:
                if polls > 0 or not self._may_stream:
                    polls -= 1
                    page = self._poll({**own, "after": after, "wait": _WAIT_SECONDS})
                    failures = 0
                    for event in page["events"]:
                        after = event["position"]
                        yield event
                    after = page["next_after"]
                    continue
                query = {name: value for name, value in own.items() if name != "limit"}
                for event in self._stream(self._prepare({**query, "after": after}, "text/event-stream")):
                    # A service that answers with a page has no streams. One that has them ends each after a while.
                    if event is None:
                        polls = _POLLS_BETWEEN_STREAMS
                        continue
                    failures = 0
                    after = event["position"]
                    yield event
                failures += 1
                if polls <= 0:
                    self._transport.pause(min(failures, 6), None)
            except GuildhallError as error:
                if not (error.retryable or isinstance(error, NetworkError)):
                    raise
                # Too many streams, for this credential or in all.
                if error.status != 0 and polls <= 0:
                    polls = _POLLS_BETWEEN_STREAMS
                failures += 1
                self._transport.pause(min(failures, 6), error.retry_after_seconds)

    def _stream(self, sent: _Sent) -> Iterator[Any]:
        """The events of one stream, until it ends; None and then those of a page, if that is the answer."""
        with self._transport.open(sent, _SILENCE_SECONDS) as response:
            try:
                is_stream = (response.headers.get("Content-Type") or "").startswith("text/event-stream")
                if response.getcode() != 200 or not is_stream:
                    page = _answer_of(sent.name, response, _read(response, float("inf")))
                    yield None
                    yield from page["events"]
                    return
                data = []
                while True:
                    line = response.readline(1_000_000)
                    if not line:
                        return
                    text = line.decode("utf-8").rstrip("\r\n")
                    if text.startswith("data:"):
                        data.append(text[len("data:") :].lstrip(" "))
                    elif not text and data:
                        event, data = json.loads("\n".join(data)), []
                        yield event
            except (OSError, http.client.HTTPException, ValueError) as problem:
                raise _no_answer(sent, problem) from problem
