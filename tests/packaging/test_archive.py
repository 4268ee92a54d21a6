"""What is in an archive, and that programs build against it alone."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import linkage
from assemble import Build, assemble, pack
from corecall import sdk
from crates import ROOT, linked, third_party

if TYPE_CHECKING:
    from collections.abc import Mapping

EXAMPLE = ROOT / "tests" / "native" / "example.c"
CMAKE = """
cmake_minimum_required(VERSION 3.16)
project(example C)
find_package(corecall {version} REQUIRED)
foreach(kind corecall static)
  add_executable(example_${{kind}} "{example}")
  target_link_libraries(example_${{kind}} PRIVATE corecall::${{kind}})
endforeach()
"""


def run(*command: object, **environment: str) -> str:
    ran = subprocess.run(
        list(map(str, command)), env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def manifest(files: Mapping[str, bytes]) -> dict[str, object]:
    parsed = json.loads(files["manifest.json"])
    assert isinstance(parsed, dict)
    return parsed


def test_the_same_libraries_give_the_same_bytes(build: Build, files: Mapping[str, bytes], archive: Path) -> None:
    again = assemble(build)
    assert again == files
    assert pack(build.root, dict(reversed(again.items())), build.time) == archive.read_bytes()


def test_the_layout_is_the_documented_one(files: Mapping[str, bytes]) -> None:
    top = {name.split("/")[0] for name in files}
    assert top == {"CHANGELOG.md", "LICENSE", "README.md", "SHA256SUMS", "THIRD_PARTY_NOTICES.txt"} | {
        "include",
        "lib",
        "manifest.json",
        "share",
    }
    share = {name.split("/")[2] for name in files if name.startswith("share/corecall/")}
    assert share == {"capabilities.json", "contract", "sbom.cyclonedx.json", "schemas", "symbols.txt"}
    schemas = {path.name for path in (ROOT / "abi" / "schemas").iterdir()}
    assert {Path(name).name for name in files if name.startswith("share/corecall/schemas/")} == schemas
    assert "lib/libcorecall.a" in files


def test_the_manifest_says_what_it_is_made_of(files: Mapping[str, bytes], build: Build) -> None:
    told = manifest(files)
    assert told["sdk_version"] == build.version
    assert told["target"] == sdk.host_target()
    assert told["abi_version"] == "1.0"
    assert told["association_contract"] == 1
    toolchain = told["toolchain"]
    assert isinstance(toolchain, dict)
    assert toolchain["panic"] == "unwind"
    assert re.fullmatch("[0-9a-f]{40}|unknown", str(toolchain["commit"]))
    assert told["native_libraries"] == ["-lpthread", "-ldl", "-lm"]


def test_the_glibc_that_is_needed_is_stated(files: Mapping[str, bytes], unpacked: Path) -> None:
    libc = manifest(files)["libc"]
    assert libc == {"name": "glibc", "floor": linkage.glibc_floor(unpacked / "lib" / "libcorecall.so")}
    assert re.fullmatch(r"2\.\d+", libc["floor"])


def test_sha256sum_reads_the_checksums(unpacked: Path) -> None:
    run("sh", "-c", f"cd '{unpacked}' && sha256sum --strict --quiet --check SHA256SUMS")


def test_no_path_of_this_machine_is_in_the_text_files(files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        assert str(ROOT).encode() not in data or name.startswith("lib/lib"), name
        if not name.startswith("lib/lib"):
            assert str(Path.home()).encode() + b"/" not in data, name


@pytest.mark.parametrize("package", ["corecall", "corecall-static"])
def test_a_c_program_builds_by_pkg_config(package: str, unpacked: Path, tmp_path: Path) -> None:
    search = {"PKG_CONFIG_PATH": str(unpacked / "lib" / "pkgconfig")}
    # Through a shell: pkg-config writes quoted what a compiler reads, a space in the path included.
    program = tmp_path / "program"
    run("sh", "-c", f"eval cc '{EXAMPLE}' $(pkg-config --cflags --libs {package}) -o '{program}'", **search)
    library_path = str(unpacked / "lib") if package == "corecall" else ""
    assert '"type":"see_also"' in run(program, LD_LIBRARY_PATH=library_path)
    assert run("pkg-config", "--modversion", package, **search).strip() == manifest_version(unpacked)


def test_a_c_program_builds_by_cmake(unpacked: Path, tmp_path: Path) -> None:
    version = manifest_version(unpacked)
    (tmp_path / "CMakeLists.txt").write_text(CMAKE.format(version=version, example=EXAMPLE), "utf-8")
    run("cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={unpacked}")
    run("cmake", "--build", tmp_path / "build")
    for kind in ("corecall", "static"):
        assert '"type":"see_also"' in run(tmp_path / "build" / f"example_{kind}")


def test_cmake_refuses_a_version_that_does_not_fit(unpacked: Path, tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(CMAKE.format(version="99.0", example=EXAMPLE), "utf-8")
    command: list[str | Path] = ["cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={unpacked}"]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode != 0
    assert "99.0" in refused.stderr


def manifest_version(unpacked: Path) -> str:
    return str(json.loads((unpacked / "manifest.json").read_text("utf-8"))["sdk_version"])


def test_a_library_with_a_lazy_table_and_a_search_path_is_not_packed(tmp_path: Path) -> None:
    library = tmp_path / "libcorecall.so"
    source = tmp_path / "a.c"
    source.write_text("int corecall_one(void) { return 1; }\n")
    soft = ["-Wl,-soname,libcorecall.so", "-Wl,-z,lazy"]
    hard = ["-Wl,-soname,libcorecall.so", "-Wl,-z,relro,-z,now"]
    for options, fault in (
        (hard[1:], "SONAME"),
        (soft, "not bound"),
        ([*hard, "-Wl,-rpath,/tmp"], "search path"),
        ([*hard, "-Wl,-z,execstack"], "stack"),
    ):
        run("gcc", "-shared", "-fPIC", *options, source, "-o", library)
        with pytest.raises(SystemExit, match=fault):
            linkage.examine_elf(library, ["corecall_one"])
    run("gcc", "-shared", "-fPIC", *hard, source, "-o", library)
    with pytest.raises(SystemExit, match="exports corecall_one"):
        linkage.examine_elf(library, ["corecall_two"])
    assert linkage.examine_elf(library, ["corecall_one"]) == ""


def test_the_sbom_names_every_linked_crate_with_its_hash(files: Mapping[str, bytes], build: Build) -> None:
    document = json.loads(files["share/corecall/sbom.cyclonedx.json"])
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.5")
    components = {component["bom-ref"]: component for component in document["components"]}
    assert len(components) == len(document["components"]) == len(linked(build.target)) + 1
    for package in third_party(build.target):
        [alone] = [c for c in components.values() if (c["name"], c["version"]) == (package["name"], package["version"])]
        assert alone["purl"] == f"pkg:cargo/{package['name']}@{package['version']}"
        assert len(alone["hashes"][0]["content"]) == 64
    names = {component["name"] for component in components.values()}
    assert {"sqlite", "rusqlite", "corecall-policy"} <= names
    assert not {"serde_derive", "syn", "cc", "cbindgen", "proptest"} & names


def test_every_dependency_of_the_sbom_is_one_of_its_parts(files: Mapping[str, bytes]) -> None:
    document = json.loads(files["share/corecall/sbom.cyclonedx.json"])
    known = {component["bom-ref"] for component in document["components"]}
    known.add(document["metadata"]["component"]["bom-ref"])
    assert {entry["ref"] for entry in document["dependencies"]} == known
    assert {ref for entry in document["dependencies"] for ref in entry["dependsOn"]} <= known


def test_the_single_file_needs_nothing_of_the_package() -> None:
    code = (
        "import sys, runpy; runpy.run_path(sys.argv[1]); assert not any(m.startswith('corecall') for m in sys.modules)"
    )
    run(sys.executable, "-I", "-S", "-c", code, sdk.__file__)
