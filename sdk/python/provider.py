import json
import os
import tempfile
import threading
import time
import urllib.parse
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

from .canonical import terms_hash
from .errors import GuildhallError, InvalidCredential, InvalidInput, MissingCredential, NotFound

#: The most that a result may have, in characters.
_MOST_CHARACTERS = 50_000
#: The most files that a submission may have.
_MOST_FILES = 20
_STATES = ("in_progress", "accepted", "proposed", "claimed", "submitted")

Work = Callable[[Dict[str, Any]], Any]
Say = Callable[[str, Dict[str, Any]], None]


def _print_line(event: str, facts: Dict[str, Any]) -> None:
    """One line for the operator: no secrets, and none of other people's texts."""
    words = [f"{name}={value}" for name, value in facts.items() if value is not None]
    print(time.strftime("%H:%M:%S"), event, *words, sep="  ", flush=True)


class _Provider:
    """Works until it is stopped. Trouble with one task, or with the service, ends nothing; a refusal of the whole identity does."""

    def __init__(self, guild: Any, work: Work, accept: bool, min_pence: int, state_file: str, say: Say) -> None:
        self._guild = guild
        self._do = work
        self._accept = accept
        self._min_pence = min_pence
        self._state = _State(state_file)
        self._say = say
        #: What was last said about a task, so that waiting is said once.
        self._said: Dict[str, str] = {}
        #: Steps that were refused for good, and work that failed: not tried again before a restart.
        self._given_up: Set[Tuple[str, str]] = set()
        self._beat_at = 0.0
        self._beat_seconds = 300.0

    def run(self, interval: float, stop: threading.Event) -> None:
        self._beat("available")
        self._say("started", {"public_id": self._guild.public_id})
        try:
            while not stop.is_set():
                try:
                    if time.monotonic() >= self._beat_at:
                        self._beat("available")
                    self._claim_inbox()
                    self._advance_all()
                except GuildhallError as error:
                    # Refused as a whole, not with one task: nothing will get better by asking again.
                    if error.final or error.status == 403 or isinstance(error, (InvalidCredential, MissingCredential)):
                        raise
                    self._say("trouble", {"code": error.code, "reason": str(error)})
                stop.wait(interval)
        finally:
            try:
                self._guild.agents.heartbeat(health_status="offline", timeout=2)
            except GuildhallError:
                pass
            self._say("stopped", {})

    def _beat(self, status: Any) -> None:
        self._beat_seconds = self._guild.agents.heartbeat(health_status=status)["next_in_seconds"]
        self._beat_at = time.monotonic() + self._beat_seconds

    def _claim_inbox(self) -> None:
        for task in self._guild.jobs.inbox(limit=100):
            if self._accept and task["budget_pence"] < self._min_pence:
                self._say_once(
                    task, "passed_over", {"reason": f"its budget of {task['budget_pence']} pence is too low"}
                )
                continue
            # The one refusal of a claim that passes by itself, and so is not final.
            gates = [blocked["gate"] for action in task["available_actions"] for blocked in action["blocked_by"]]
            if "files" in gates:
                self._say_once(task, "waiting", {"reason": "files of its brief have not arrived yet"})
                continue
            self._guarded(task, self._claim)

    def _claim(self, task: Dict[str, Any]) -> None:
        self._guild.jobs.claim(task_id=task["task_id"])
        self._say("claimed", {"task_id": task["task_id"]})

    def _advance_all(self) -> None:
        open_tasks = set()
        for state in _STATES:
            for task in self._guild.jobs.mine(role="provider", state=state, limit=100):
                open_tasks.add(task["task_id"])
                # Only what was sent to this provider: tasks that the operator claimed elsewhere are not this program's.
                selected = task["parties"]["selected_provider"] or {}
                if selected.get("public_id") == self._guild.public_id:
                    self._guarded(task, self._advance)
        self._state.keep_only(open_tasks)

    def _advance(self, task: Dict[str, Any]) -> None:
        """One task as far as it goes now."""
        task_id, state = task["task_id"], task["state"]
        if state == "proposed":
            self._consider_terms(task)
        if state == "accepted":
            if any(each["action"] == "start" and not each["ready"] for each in task["available_actions"]):
                reason = "it cannot be started yet, for example before it is paid"
                return self._say_once(task, "waiting", {"reason": reason})
            task = self._guild.jobs.start(task_id=task_id)["task"]
            self._say("started_work", {"task_id": task_id})
        if task["state"] == "in_progress":
            self._work(task)

    def _consider_terms(self, task: Dict[str, Any]) -> None:
        agreement = task["agreement"] or {}
        if not agreement or agreement["provider_accepted_at"]:
            return
        contract = self._guild.contracts.show(contract_id=agreement["contract_id"])["contract"]
        facts = {
            "task_id": task["task_id"],
            "contract_id": contract["contract_id"],
            "terms_hash": contract["terms_hash"],
        }
        problem = self._problem_with(contract, task) if self._accept else "you have not accepted the terms"
        if problem:
            return self._say_once(task, "waiting", {**facts, "reason": problem})
        self._guild.contracts.accept(contract_id=contract["contract_id"], terms_hash=contract["terms_hash"])
        self._say("accepted", facts)

    def _problem_with(self, contract: Dict[str, Any], task: Dict[str, Any]) -> Optional[str]:
        """Why the terms are not accepted without the operator."""
        terms = contract.get("terms")
        if not terms:
            return "the terms are not shown"
        if terms_hash(terms) != contract["terms_hash"]:
            return "the terms do not have the hash that they are offered under"
        if terms["provider"]["public_id"] != self._guild.public_id or terms["task_id"] != task["task_id"]:
            return "the terms are for another provider or task"
        amount = terms["amount_pence"]
        return f"the amount of {amount} pence is below {self._min_pence}" if amount < self._min_pence else None

    def _work(self, task: Dict[str, Any]) -> None:
        task_id, reason = task["task_id"], task.get("changes_reason")
        turn = f"changes:{reason}" if reason else "first"
        done = self._state.tasks.get(task_id)
        # Sent back for the same reason as before, it is new work all the same.
        if done is None or done["round"] != turn or done["submitted"] or "result" not in done:
            if (task_id, turn) in self._given_up:
                return
            contract = self._guild.contracts.show(contract_id=task["agreement"]["contract_id"])["contract"]
            given = {name: task[name] for name in ("task_id", "title", "brief", "input", "offer") if name in task}
            given.update({"terms": contract.get("terms")}, **({"changes_reason": reason} if reason else {}))
            with tempfile.TemporaryDirectory(prefix="guildhall-work-") as folder:
                given.update(self._fetch_files(task_id, folder))
                try:
                    result = self._result_of(given)
                    names = _names_in(given["files_out"])
                except Exception as problem:
                    self._given_up.add((task_id, turn))
                    text = f"{type(problem).__name__}: {problem}; nothing was submitted"
                    return self._say("failed", {"task_id": task_id, "reason": text})
                try:
                    files = self._upload_files(task_id, given["files_out"], names)
                except GuildhallError as error:
                    if error.retryable:
                        raise
                    # Done again, the work would most likely leave the same files.
                    self._given_up.add((task_id, turn))
                    return self._say("failed", {"task_id": task_id, "reason": f"a file was refused: {error}"})
            done = {"round": turn, "result": result, "submitted": False, **({"files": files} if files else {})}
            # Kept before it is sent: whatever happens next, it is not computed again.
            self._state.put(task_id, done)
            self._say("computed", {"task_id": task_id, "characters": len(result), "files": len(files) or None})
        try:
            with_files = {"files": done["files"]} if done.get("files") else {}
            self._guild.jobs.submit(task_id=task_id, result=done["result"], **with_files)
        except InvalidInput as error:
            # Sent again it would be refused again. A corrected program does the work again after a restart.
            self._given_up.add((task_id, turn))
            self._state.forget(task_id)
            return self._say("failed", {"task_id": task_id, "reason": f"the result was refused: {error}"})
        self._state.put(task_id, {**done, "submitted": True})
        self._say("submitted", {"task_id": task_id})

    def _fetch_files(self, task_id: str, folder: str) -> Dict[str, str]:
        """Downloads the files of the brief into a folder, beside an empty one for those of the result."""
        folders = {name: os.path.join(folder, name) for name in ("files_in", "files_out")}
        for each in folders.values():
            os.mkdir(each)
        try:
            for file in self._guild.jobs.files(task_id=task_id, purpose="brief"):
                name = file["name"]
                # The service lets no name lead out of a folder; this makes sure of it.
                if file["state"] == "kept" and name == os.path.basename(name) and name not in (".", ".."):
                    with open(os.path.join(folders["files_in"], name), "xb") as copy:
                        copy.write(self._guild.files.download(file["file_id"]))
        except NotFound:
            # A service without files is no trouble for work that needs none.
            pass
        return folders

    def _upload_files(self, task_id: str, folder: str, names: List[str]) -> List[str]:
        """Uploads what the work left; returns the IDs."""
        about = {"task_id": task_id, "purpose": "result"}
        return [
            self._guild.files.upload(os.path.join(folder, name), **about)["file"]["file_id"] for name in names
        ]

    def _result_of(self, given: Dict[str, Any]) -> str:
        """Does the work. However long it takes, the health of this provider does not go stale."""
        is_done = threading.Event()

        def beat() -> None:
            while not is_done.wait(self._beat_seconds):
                try:
                    self._beat("busy")
                except GuildhallError:
                    # The next one, or the next call after the work, says what is wrong.
                    pass

        threading.Thread(target=beat, daemon=True).start()
        try:
            value = self._do(given)
        finally:
            is_done.set()
        result = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, allow_nan=False)
        if value is None or not result.strip():
            raise ValueError("there is no result")
        if len(result) > _MOST_CHARACTERS:
            raise ValueError(f"the result has more than {_MOST_CHARACTERS} characters")
        return result.strip()

    def _guarded(self, task: Dict[str, Any], step: Callable[[Dict[str, Any]], None]) -> None:
        """Trouble with one task is said, and does not keep the others waiting. A final refusal is not tried again."""
        name = (task["task_id"], task["state"])
        if name in self._given_up:
            return
        try:
            step(task)
        except (InvalidCredential, MissingCredential):
            raise
        except GuildhallError as error:
            if error.final:
                self._given_up.add(name)
            self._say_once(task, "trouble", {"code": error.code, "reason": str(error), "request_id": error.request_id})

    def _say_once(self, task: Dict[str, Any], event: str, facts: Dict[str, Any]) -> None:
        text = f"{event} {facts.get('reason')}"
        if self._said.get(task["task_id"]) != text:
            self._said[task["task_id"]] = text
            self._say(event, {"task_id": task["task_id"], **facts})


def _names_in(folder: str) -> List[str]:
    """What the work left. Folders, links and hidden files are not uploaded."""
    with os.scandir(folder) as entries:
        names = sorted(
            entry.name for entry in entries if entry.is_file(follow_symlinks=False) and not entry.name.startswith(".")
        )
    if len(names) > _MOST_FILES:
        raise ValueError(f"it left {len(names)} files, and a submission has at most {_MOST_FILES}")
    return names


class _State:
    """The results of a provider's work, kept so that no restart does it again. Only its owner can read the file."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.tasks: Dict[str, Dict[str, Any]] = {}
        try:
            with open(path, encoding="utf-8") as file:
                self.tasks = json.load(file)["tasks"]
        except FileNotFoundError:
            pass
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{path} is not the state of a provider. Move it away to start again.") from None

    def put(self, task_id: str, done: Dict[str, Any]) -> None:
        self.tasks[task_id] = done
        self._save()

    def forget(self, task_id: str) -> None:
        if self.tasks.pop(task_id, None):
            self._save()

    def keep_only(self, task_ids: Any) -> None:
        """Forgets tasks that have ended."""
        ended = [each for each in self.tasks if each not in task_ids]
        for each in ended:
            del self.tasks[each]
        if ended:
            self._save()

    def _save(self) -> None:
        os.makedirs(os.path.dirname(os.path.abspath(self._path)), mode=0o700, exist_ok=True)
        draft = f"{self._path}.{os.getpid()}"
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump({"tasks": self.tasks}, file)
        os.replace(draft, self._path)


def _state_file(base_url: str, public_id: str) -> str:
    """The file that the command `guildhall provider` uses too."""
    folder = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    host = urllib.parse.urlsplit(base_url).netloc.replace(":", "_")
    return os.path.join(folder, "guildhall", f"provider-{host}-{public_id}.json")
