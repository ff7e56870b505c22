"""An HTTP endpoint where each user has a session that lives from request to request (Starlette; FastAPI is the same).

    pip install starlette uvicorn
    uvicorn --app-dir examples/embedding web_sessions:app        # then POST code to /run/ann
    python examples/embedding/web_sessions.py                     # sends itself some requests, without a server
"""
import asyncio
import contextlib

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

import kimi_runtime as kr

LIMITS = kr.Limits(seconds=2, memory="32MB", output=10_000)
TOTAL = kr.Limits(seconds=60)       # what all runs of a user may take together
MOST_SESSIONS = 1000

runtime = kr.Runtime(limits=LIMITS)
sessions: dict[str, kr.Session] = {}


def session_of(user: str) -> kr.Session:
    """The session of a user; the one that was not used for the longest time makes room."""
    session = sessions.pop(user, None) or runtime.session(total=TOTAL)
    sessions[user] = session
    if len(sessions) > MOST_SESSIONS:
        with contextlib.suppress(kr.SessionError):      # it runs at this moment: somebody else goes next time
            sessions.pop(next(iter(sessions))).close()
    return session


async def run(request: Request) -> JSONResponse:
    """Runs the code in the body."""
    try:
        result = await session_of(request.path_params["user"]).run_async(await request.body())
    except kr.SessionError as error:
        return JSONResponse({"error": str(error)}, status_code=409)
    return JSONResponse({
        "ok": result.ok,
        "value": repr(result.value),
        "stdout": result.stdout,
        "error": None if result.ok else {"type": result.error.type, "message": result.error.message, "line": result.error.line},
    })


async def forget(request: Request) -> JSONResponse:
    """Ends a session."""
    session = sessions.pop(request.path_params["user"], None)
    if session is not None:
        session.close()
    return JSONResponse({"ended": session is not None})


app = Starlette(routes=[Route("/run/{user}", run, methods=["POST"]), Route("/run/{user}", forget, methods=["DELETE"])])


async def send(method: str, path: str, body: str = "") -> str:
    """What the application answers, without a server in between."""
    answers = []

    async def receive():
        return {"type": "http.request", "body": body.encode()}

    async def answer(message):
        answers.append(message)

    scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "path": path,
             "raw_path": path.encode(), "query_string": b"", "headers": [], "scheme": "http", "server": ("test", 80),
             "client": ("test", 1), "root_path": ""}
    await app(scope, receive, answer)
    return f"{answers[0]['status']} {answers[1]['body'].decode()}"


async def main():
    for user, code in [("ann", "total = 40"), ("bob", "total"), ("ann", "total + 2"), ("ann", "while True: pass"),
                       ("ann", "print(total)")]:
        print(user, await send("POST", f"/run/{user}", code))
    slow, refused = await asyncio.gather(send("POST", "/run/ann", "import time; time.sleep(0.3)"), send("POST", "/run/ann", "1"))
    print("at the same time:", slow[:3], refused[:3])
    print(await send("DELETE", "/run/ann"))


if __name__ == "__main__":
    asyncio.run(main())
