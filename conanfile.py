# SPDX-License-Identifier: MIT
"""The C library for Conan 2: `conan create .` builds it with CMake and runs tests/conan."""

from pathlib import Path
from typing import ClassVar

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir


class Aesfit(ConanFile):
    """The library, whole or in part: options of lib/CMakeLists.txt, commas between names."""

    name = "aesfit"
    description = "AES for 32-bit and embedded processors"
    license = "MIT"
    topics = ("aes", "embedded", "constant-time", "cryptography")
    package_type = "library"
    languages = ("C",)
    settings = ("os", "arch", "compiler", "build_type")
    options: ClassVar = {
        "shared": [True, False],
        "cores": ["ANY"],
        "modes": ["ANY"],
        "ghashes": ["ANY"],
        "key_bits": ["ANY"],
        "directions": ["both", "one", "encrypt"],
        "default_in_c": [True, False],
    }
    default_options: ClassVar = {
        "shared": False,
        "cores": "default",
        "modes": "all",
        "ghashes": "default",
        "key_bits": "128,192,256",
        "directions": "both",
        "default_in_c": False,
    }
    exports_sources = ("lib/*",)
    test_package_folder = "tests/conan"

    def set_version(self) -> None:
        """The header says it."""
        header = load(self, str(Path(self.recipe_folder) / "lib" / "include" / "aesfit.h"))
        names = ("MAJOR", "MINOR", "PATCH")
        self.version = ".".join(header.split(f"_VERSION_{name} ")[1].split()[0] for name in names)

    def layout(self) -> None:
        """lib/ is the project; lib/build takes what is built."""
        cmake_layout(self, src_folder="lib")

    def generate(self) -> None:
        """Hands the options on."""
        toolchain = CMakeToolchain(self)
        for option in ("cores", "modes", "ghashes", "key_bits", "directions"):
            names = str(getattr(self.options, option)).replace(",", ";")
            toolchain.cache_variables[f"AESFIT_{option.upper()}"] = names
        toolchain.cache_variables["AESFIT_DEFAULT_IN_C"] = bool(self.options.default_in_c)
        toolchain.generate()

    def build(self) -> None:
        """As everywhere else."""
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self) -> None:
        """Without what Conan generates itself for those who use the package."""
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, str(Path(self.package_folder) / "licenses"))
        for folder in ("share", "lib/cmake", "lib/pkgconfig"):
            rmdir(self, str(Path(self.package_folder) / folder))

    def package_info(self) -> None:
        """CMake gets aesfit::aesfit, pkg-config aesfit."""
        self.cpp_info.libs = ["aesfit"]
