# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The bootloader of firmware/bootloader on the emulated board: it starts what the host's `moonbow` signed, and refuses anything damaged."""

import json
import pathlib
import subprocess
import sys
import tempfile

from . import build

ALGORITHM, KEY_BYTES = "uov-Is-pkc", 66576
DIGEST_AT, KEY_AT, SLOT_AT = 0xff00, 0x10000, 0x80000
SIGNATURE_AT, MANIFEST_AT, APPLICATION_AT = 0, 512, 1024  # in the slot
STARTED, REFUSED = 0, 1
PACK = build.ROOT / "firmware" / "bootloader" / "pack.py"
TOOL = build.ROOT / "build" / "cli" / "moonbow"


def make_flash(folder):
    """Key, digest and slot, as the host makes them: {address: bytes}."""
    def run(*command):
        subprocess.run([str(word) for word in command], cwd=folder, check=True, capture_output=True)

    run("arm-none-eabi-objcopy", "-O", "binary", build.FIRMWARE / "application_mps2_an386.elf", "application.bin")
    run(TOOL, "keygen", ALGORITHM, "-o", "key")
    run(sys.executable, PACK, "key", "key.pub", KEY_BYTES, "key.bin", "digest.bin")
    run(sys.executable, PACK, "manifest", "application.bin", 1, "to_sign")
    run(TOOL, "sign", "-k", "key", "to_sign")
    run(sys.executable, PACK, "slot", "to_sign", "to_sign.sig", "slot.bin")
    return {at: bytearray((folder / name).read_bytes()) for at, name in ((DIGEST_AT, "digest.bin"), (KEY_AT, "key.bin"), (SLOT_AT, "slot.bin"))}


def build_outside(folder):
    """The bootloader as a project of its own, with the installed library."""
    prefix, project = folder / "prefix", build.ROOT / "firmware" / "bootloader"
    build.run("cmake", "--install", "build-cortex-m4", "--prefix", prefix)
    package = next(prefix.glob("lib*/cmake/moonbow"))
    build.run("cmake", "-S", project, "-B", folder / "project", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
              f"-DCMAKE_TOOLCHAIN_FILE={package / 'cortex-m4.cmake'}")
    build.run("cmake", "--build", folder / "project")
    return folder / "project" / "bootloader.elf"


def boot(folder, flash, plugin=False, program=None):
    """Exit status, output, and the cycles of the check if asked for."""
    command = ["qemu-system-arm", "-M", "mps2-an386", "-nographic", "-monitor", "none", "-serial", "stdio", "-semihosting",
               "-kernel", str(program or build.FIRMWARE / "bootloader_mps2_an386.elf")]
    for at, data in flash.items():
        path = folder / f"flash-{at:x}"
        path.write_bytes(data)
        command += ["-device", f"loader,file={path},addr={at:#x},force-raw=on"]
    if plugin:
        command += ["-plugin", f"{build.PLUGIN},out={folder / 'cycles'}"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, check=False)
    cycles = json.loads((folder / "cycles").read_text().splitlines()[0])["cycles"] if plugin else None
    return done.returncode, done.stdout, cycles


def damages(flash):
    """(what, flash with one bit changed) for each part, and a key that is another."""
    application_end = len(flash[SLOT_AT]) - 1
    for what, at, offset in (("signature", SLOT_AT, SIGNATURE_AT + 5), ("version", SLOT_AT, MANIFEST_AT + 8),
                             ("length", SLOT_AT, MANIFEST_AT + 12), ("padding of the manifest", SLOT_AT, MANIFEST_AT + 100),
                             ("application", SLOT_AT, APPLICATION_AT + 200), ("last byte", SLOT_AT, application_end),
                             ("key's seed", KEY_AT, 3), ("key's last byte", KEY_AT, KEY_BYTES - 1), ("pinned digest", DIGEST_AT, 31)):
        changed = {address: bytearray(data) for address, data in flash.items()}
        changed[at][offset] ^= 1
        yield what, changed


def run_all(say):
    """0 if the good image starts and every damaged one is refused, else 1."""
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="moonbow-boot-") as name:
        folder = pathlib.Path(name)
        flash = make_flash(folder)
        status, output, cycles = boot(folder, flash, plugin=True)
        good = status == STARTED and "application: started" in output
        say(f"bootloader, {ALGORITHM}: a signed application {'starts' if good else 'DOES NOT START: ' + output}; {cycles:,} cycles")
        wrong += not good
        status, output, _ = boot(folder, flash, program=build_outside(folder))
        good = status == STARTED and "application: started" in output
        say(f"bootloader, built outside by find_package: a signed application {'starts' if good else 'DOES NOT START: ' + output}")
        wrong += not good
        for what, changed in damages(flash):
            status, output, _ = boot(folder, changed)
            refused = status == REFUSED and "refused" in output and "application" not in output
            say(f"bootloader, {what} changed: {'refused' if refused else 'NOT REFUSED'}: {output.strip().splitlines()[-1] if output.strip() else ''}")
            wrong += not refused
    return 1 if wrong else 0
