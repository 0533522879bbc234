"""A login at oidc-provider-mock."""

from oidc_provider_mock import run_server_in_thread
from sign_in import redirect_of, sign_in


def open_server():
    return run_server_in_thread()


def log_in(server):
    at = f"http://localhost:{server.server_port}/oauth2"
    sign_in(f"{at}/authorize", f"{at}/token", lambda url: redirect_of(url, {"sub": "bob"}), "any secret")
