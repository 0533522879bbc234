"""The programs of README.md run, as they are written there."""

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"

PROGRAMS: dict[str, str] = dict(re.findall(r"(?ms)^```python (\S+)\n(.*?)^```$", README.read_text()))

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


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_of_the_readme_runs(pytester: pytest.Pytester, name: str) -> None:
    pytester.makeini("[pytest]\naddopts = -p no:cacheprovider -p no:asyncio\n")
    pytester.makepyfile(shop=SHOP, **{name.removesuffix(".py"): PROGRAMS[name]})
    outcomes = pytester.runpytest_subprocess(name).parseoutcomes()
    assert set(outcomes) <= {"passed", "warnings", "warning"}
    assert outcomes["passed"] == PROGRAMS[name].count("def test_") + 2 * (name == "test_api.py")


def test_each_program_of_the_readme_is_found() -> None:
    assert list(PROGRAMS) == ["test_login.py", "test_api.py", "test_wrong.py"]
