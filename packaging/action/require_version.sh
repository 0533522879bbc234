# Ends the script that reads this file if VERSION is not exact.

# GitHub runs an action without an input that it requires
if [[ ! $VERSION =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]]; then
  echo "::error::The input \"version\" must be an exact version, such as 0.1.0, and is \"$VERSION\""
  exit 1
fi
