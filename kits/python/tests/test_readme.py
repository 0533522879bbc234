"""The programs of README.md and of the pages in docs/ run, as they are written there."""

import re
from pathlib import Path

import pytest

KIT = Path(__file__).parents[1]

DOCS = KIT.parents[1] / "docs"

PAGES = [page for page in (KIT / "README.md", DOCS / "python.md", DOCS / "moving/python.md") if page.exists()]


def read_programs(page: Path) -> dict[str, str]:
    return dict(re.findall(r"(?ms)^```python (\S+)[^\n]*\n(.*?)^```$", page.read_text(encoding="utf8")))


SHOP = """
    import json
    import secrets
    import hashlib
    import base64
    from urllib.parse import parse_qs, urlencode, urlsplit
    from urllib.request import urlopen


    def sign_in(postern):
        verifier = secrets.token_urlsafe(48)
        digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        shop = {"client_id": "shop", "redirect_uri": "http://localhost:3000/callback"}
        query = {**shop, "response_type": "code", "scope": "openid orders", "state": "state-of-the-shop"}
        query |= {"code_challenge": digest, "code_challenge_method": "S256"}
        callback = postern.authorize(f"{postern.issuer}/oauth2/authorize?{urlencode(query)}", username="bob")
        answer = parse_qs(urlsplit(callback.url).query)
        if answer["iss"] != [postern.issuer]:
            raise PermissionError("this is not the answer of our server")
        form = {**shop, "grant_type": "authorization_code", "code": answer["code"][0]}
        form["code_verifier"] = verifier
        with urlopen(f"{postern.issuer}/oauth2/token", urlencode(form).encode()) as response:
            return json.load(response)
"""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_programs_of_a_page_run(pytester: pytest.Pytester, page: Path) -> None:
    programs = read_programs(page)
    pytester.makeini("[pytest]\naddopts = -p no:cacheprovider -p no:asyncio\n")
    pytester.makepyfile(shop=SHOP, **{name.removesuffix(".py"): text for name, text in programs.items()})
    for name, text in programs.items():
        outcomes = pytester.runpytest_subprocess("-v", name)
        passed = re.findall(r"::(\w+)\S* PASSED", outcomes.stdout.str())
        assert set(passed) == set(re.findall(r"^def (test_\w+)", text, re.MULTILINE)), name
        assert outcomes.ret == 0, name


def test_the_readme_has_programs() -> None:
    assert list(read_programs(KIT / "README.md")) == ["test_login.py", "test_api.py", "test_wrong.py"]
