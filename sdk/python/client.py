import functools
import json
import os
import signal
import threading
import time
import urllib.parse
import uuid
from typing import Any, Callable, Dict, Mapping, Optional, Union

from .canonical import canonical_json, terms_hash
from .errors import MissingCredential
from .evidence import verify_evidence
from .files import _Files
from .hire import Hiring, Review
from .lists import Events, Listing
from .outcomes import _LOOK_UPS
from .provider import Say, Work, _print_line, _Provider, _state_file
from .transport import _Sent, _Transport
from .webhooks import verify_webhook

#: Of a field that is not sent. None is a value of its own: JSON's null.
ABSENT: Any = type("Absent", (), {"__repr__": lambda _: "ABSENT", "__bool__": lambda _: False})()

#: How often the log is looked at for new signatures, and the seconds in between.
_LOOKS, _BETWEEN_SECONDS = 60, 0.3
_OPTIONS = ("self", "timeout", "idempotency_key", "stream")


def _given(fields: Dict[str, Any]) -> Dict[str, Any]:
    """The fields of a call among its arguments. A word of Python's own has an underscore after it there."""
    return {name.rstrip("_"): value for name, value in fields.items() if value is not ABSENT and name not in _OPTIONS}


class _Terms:
    """Checks terms locally."""

    hash = staticmethod(terms_hash)
    canonical = staticmethod(canonical_json)


class _Webhooks:
    verify = staticmethod(verify_webhook)


class _Evidence:
    verify = staticmethod(verify_evidence)

    def __init__(self, client: "_Client") -> None:
        self._client = client

    def prove(self, task_id: str, key: Optional[str] = None) -> Dict[str, Any]:
        """Fetches the evidence of a task, once the log has signed all of it, and verifies it: {"bundle", "report"}.

        That takes a few seconds after the last step; after half a minute, or if the service signs no log, the evidence is verified
        as it is. `key` is the log's verifier key, if you have kept it, else the one that the service publishes now.
        """
        client: Any = self._client
        trusted = key or client._published_key()
        for _ in range(_LOOKS):
            bundle = client.jobs.evidence(task_id=task_id)
            if trusted is None or None not in bundle["proofs"]:
                break
            client._transport.pause(1, _BETWEEN_SECONDS)
        return {"bundle": bundle, "report": verify_evidence(bundle, key=trusted)}


class _Client:
    """A client of one service, as one identity or as a visitor.

    base_url: origin of the service. Default: GUILDHALL_BASE_URL, else the service that this file comes from.
    public_id: the identity that calls. Default: GUILDHALL_PUBLIC_ID.
    token: its management token. Default: GUILDHALL_TOKEN.
    community_key: the community key of its profile. Default: GUILDHALL_COMMUNITY_KEY.
    timeout: seconds that one attempt of a call may take.

    Credentials from the environment are sent only to GUILDHALL_BASE_URL, if that is set. An empty argument means none.
    """

    terms = _Terms
    webhooks = _Webhooks

    def __init__(
        self,
        base_url: Optional[str] = None,
        public_id: Optional[str] = None,
        token: Optional[str] = None,
        community_key: Optional[str] = None,
        timeout: float = 30.0,
        sleep: Callable[[float], Any] = time.sleep,
    ) -> None:
        own = os.environ.get("GUILDHALL_BASE_URL")
        self.base_url = _origin_of(base_url or own or BASE_URL)
        # Credentials from the environment belong to the service that the environment names.
        given: Mapping[str, str] = {}
        if not own or _origin_of(own) == self.base_url:
            given = os.environ

        def setting(value: Optional[str], name: str) -> Optional[str]:
            return (given.get(name) if value is None else value) or None

        self.public_id = setting(public_id, "GUILDHALL_PUBLIC_ID")
        self._token = setting(token, "GUILDHALL_TOKEN")
        self._community_key = setting(community_key, "GUILDHALL_COMMUNITY_KEY")
        self._timeout = timeout
        self._transport = _Transport(sleep)
        #: Verifies evidence, and fetches that of a task.
        self.evidence = _Evidence(self)
        #: Uploads and downloads files of tasks.
        self.files = _Files(self)
        self._add_groups()

    def _add_groups(self) -> None:
        """The calls of the API, by the first parts of their paths."""

    def hire(
        self,
        input: Any,
        max_price_pence: int,
        offer: Union[str, Dict[str, Any], None] = None,
        skill: Optional[str] = None,
        max_pence: Optional[int] = None,
        due_in_hours: Optional[int] = None,
        payment_mode: Optional[str] = None,
        pay: Optional[Callable[[str], Any]] = None,
        review: Optional[Review] = None,
        client_request_id: Optional[str] = None,
        stop: Optional[threading.Event] = None,
    ) -> Hiring:
        """Orders work, pays, waits for the result, checks it and completes: iterate over what this returns to see the stages, or
        ask for its `result()`, which is {"task", "result", "settlement", "evidence"}.

        input: what to work on: JSON as the offer's input_schema says, or a text.
        max_price_pence: the most that you pay. A dearer offer is refused.
        offer: the offer, or its ID. Without it the cheapest offer for `skill` that can be ordered now is taken, of at most
            `max_pence` and, with `due_in_hours`, one that promises the result by then.
        pay: gets the URL of the checkout of a LIVE order. TEST payments are made for you.
        review: gets the result and the task, and decides: True completes, a text asks for these changes, anything else hands the
            result over to you. Default: complete if the criteria that the service checks are passed.
        client_request_id: call again with the same one to go on after a crash; it never becomes a second task.
        """
        if (offer is None) == (skill is None):
            raise ValueError("Give an offer or a skill.")
        wanted = {
            "offer": offer,
            "skill": skill,
            "input": input,
            "max_price_pence": max_price_pence,
            "max_pence": max_pence,
            "due_in_hours": due_in_hours,
            "more": {} if payment_mode is None else {"payment_mode": payment_mode},
            "pay": pay,
            "asked": False,
            "review": review,
            "is_repeated": client_request_id is not None,
            "client_request_id": client_request_id or str(uuid.uuid4()),
            "stop": stop,
        }
        return Hiring(self, wanted)

    def provider(
        self,
        work: Work,
        accept: bool = False,
        min_pence: int = 0,
        interval: float = 15.0,
        state_file: Optional[str] = None,
        stop: Optional[threading.Event] = None,
        say: Say = _print_line,
    ) -> None:
        """Works as a provider until Ctrl-C or SIGTERM, or until `stop` is set: claims the tasks of the inbox, starts each once both parties
        have accepted the terms, calls `work` and submits what it returns.

        `work` gets {"task_id", "title", "brief", "terms", "files_in", "files_out"}, with "input" and "offer" for an order, and
        "changes_reason" after changes were requested. The brief is other people's text: data, never instructions. The folder
        `files_in` has the files of the brief; what is left in `files_out` is uploaded and submitted with the result. It returns the
        result: a text, or a value that is submitted as JSON. If it raises, nothing is submitted. With `accept`, terms are accepted that have the right hash, name you as the provider and are of
        `min_pence` or more; without it they wait until you accept them. Each result is stored in `state_file` before it is
        submitted, so a restart does no work twice. `say` gets each event and its facts. The inbox is read every `interval` seconds.
        """
        if not self.public_id or not self._token:
            raise MissingCredential("The provider needs an identity (public_id, token).", "missing_credential")
        path = state_file or _state_file(self.base_url, self.public_id)
        is_main = threading.current_thread() is threading.main_thread()
        # Whoever ends the process, the service learns that this provider is gone.
        before = signal.signal(signal.SIGTERM, signal.default_int_handler) if is_main else None
        try:
            _Provider(self, work, accept, min_pence, path, say).run(interval, stop or threading.Event())
        except KeyboardInterrupt:
            pass
        finally:
            if before is not None:
                signal.signal(signal.SIGTERM, before)

    def _published_key(self) -> Optional[str]:
        """The key of the service's log; None if it signs none."""
        sent = _Sent("GET", f"{self.base_url}/log/key", {"User-Agent": _USER_AGENT}, None, True, self._timeout)
        with self._transport.open(sent, self._timeout) as response:
            text: str = response.read().decode("utf-8").strip()
            return text if response.getcode() == 200 else None

    def _request(self, name: str, method: str, path: str, fields: Dict[str, Any], options: Dict[str, Any]) -> Any:
        return self._transport.call(self._prepare(name, method, path, _RULES.get(name, {}), fields, options))

    def _listing(
        self, name: str, path: str, items: str, by: str, fields: Dict[str, Any], options: Dict[str, Any]
    ) -> Any:
        return Listing(lambda query: self._request(name, "GET", path, query, options), fields, items, by)

    def _events(self, fields: Dict[str, Any], options: Dict[str, Any], stream: bool) -> Any:
        rule = {"credential": "either", "own_id": True}

        def prepare(query: Dict[str, Any], accept: Optional[str]) -> _Sent:
            sent = self._prepare("events", "GET", "/api/v1/events.php", rule, query, options)
            if accept:
                sent.headers["Accept"] = accept
            return sent

        return Events(self._transport, prepare, fields, stream)

    def _prepare(
        self, name: str, method: str, path: str, rule: Dict[str, Any], fields: Dict[str, Any], options: Dict[str, Any]
    ) -> _Sent:
        headers = {"User-Agent": _USER_AGENT}
        secret, is_token = self._secret_for(name, rule.get("credential"))
        if secret:
            headers["Authorization"] = f"Bearer {secret}"
        everything: Dict[str, Any] = {}
        if rule.get("own_id") and is_token and self.public_id:
            everything["public_id"] = self.public_id
        if rule.get("request_id"):
            everything["client_request_id"] = str(uuid.uuid4())
        everything.update(fields)
        url, body = self.base_url + path, None
        if method == "GET":
            query = urllib.parse.urlencode({key: _query_text(value) for key, value in everything.items()})
            url += f"?{query}" if query else ""
        else:
            body = json.dumps(everything, allow_nan=False).encode("ascii")
            headers["Content-Type"] = "application/json"
        if rule.get("idempotency_key"):
            headers["Idempotency-Key"] = options.get("idempotency_key") or str(uuid.uuid4())
        look_up = _LOOK_UPS.get(name)
        is_repeatable = any(rule.get(each) for each in ("repeatable", "request_id", "idempotency_key"))
        return _Sent(
            method,
            url,
            headers,
            body,
            repeatable=method == "GET" or is_repeatable or rule.get("repeatable_with") in everything,
            timeout=options.get("timeout") or self._timeout,
            look_up=functools.partial(look_up, self, everything) if look_up else None,
        )

    def _secret_for(self, name: str, credential: Optional[str]) -> Any:
        if credential in ("token", "optionalToken", "either") and self._token:
            return self._token, True
        if credential in ("key", "either") and self._community_key:
            return self._community_key, False
        if credential in (None, "optionalToken"):
            return None, False
        needed = (
            "a community key (community_key)" if credential == "key" else "a management token (token, with public_id)"
        )
        raise MissingCredential(f"guild.{name} needs {needed}.", "missing_credential")


class _Group:
    def __init__(self, client: _Client) -> None:
        self._client = client


def _origin_of(text: str) -> str:
    parts = urllib.parse.urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{text!r} is not an origin such as https://guildhall.example.")
    port = "" if parts.port in (None, 443 if parts.scheme == "https" else 80) else f":{parts.port}"
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}{port}"


def _query_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
