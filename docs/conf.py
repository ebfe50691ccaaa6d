# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The documentation as a site (tools/build_docs.sh). Its pages are the project's own Markdown files, so the source folder is the
project's root; links between files work as they do on disk."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent

project = "Moonbow"
author = "the Moonbow authors"
project_copyright = "the Moonbow authors; Apache-2.0 or MIT"
version = re.search(r"project\(moonbow\s+VERSION\s+([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)
release = version

extensions = ["myst_parser", "breathe", "autoapi.extension"]
root_doc = "docs/index"
include_patterns = ["*.md", "bench/README.md", "docs/**.md", "firmware/**.md", "hardware/**.md", "src/*/README.md", "test/*/README.md",
                    "tools/*/README.md", "docs/api/python/**"]
exclude_patterns = ["build*", "docs/man", "**/found", "**/node_modules"]

myst_enable_extensions = ["attrs_inline", "colon_fence"]
myst_heading_anchors = 4
# C types are both a struct's name and a typedef.
suppress_warnings = ["duplicate_declaration.c"]

# C: what doxygen reads from include/ (docs/api/Doxyfile).
breathe_projects = {"moonbow": str(ROOT / "build" / "docs" / "doxygen" / "xml")}
breathe_default_project = "moonbow"
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False

# Python: read from the sources, nothing is imported.
autoapi_dirs = [str(ROOT / "python" / "moonbow")]
autoapi_root = "docs/api/python"
autoapi_options = ["members", "show-module-summary", "special-members", "imported-members"]

autoapi_file_patterns = ["*.py", "*.pyi"]
autoapi_add_toctree_entry = False
autoapi_python_class_content = "both"
autoapi_member_order = "bysource"

html_theme = "furo"
html_title = f"Moonbow {version}"
html_static_path = []
html_show_sphinx = False
html_copy_source = False

def resolve_folders(app, document, source):
    """On disk a link may lead to a folder; here it leads to its README, or is plain text if it has none."""
    here = (ROOT / document).parent

    def resolved(match):
        text, target = match.groups()
        if not (here / target).is_dir():
            return match.group(0)
        return f"[{text}]({target.rstrip('/')}/README.md)" if (here / target / "README.md").exists() else text

    source[0] = re.sub(r"\[([^\]]+)\]\(([^)#:]+)\)", resolved, source[0])

def setup(app):
    app.connect("source-read", resolve_folders)
