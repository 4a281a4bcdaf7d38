# SPDX-License-Identifier: MIT
"""What `conan create` checks: a program that finds the package, links to it and runs."""

from pathlib import Path

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout


class AesfitTest(ConanFile):
    """Builds and runs main.c."""

    settings = ("os", "arch", "compiler", "build_type")
    generators = ("CMakeDeps",)

    def requirements(self) -> None:
        """The package under test."""
        self.requires(self.tested_reference_str)

    def layout(self) -> None:
        """What is built goes to the project's build/."""
        cmake_layout(self, build_folder="../../build/conan")

    def generate(self) -> None:
        """Nothing beside the sources."""
        toolchain = CMakeToolchain(self)
        toolchain.user_presets_path = False
        toolchain.generate()

    def build(self) -> None:
        """With find_package(aesfit)."""
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self) -> None:
        """Unless it was built for another machine."""
        if can_run(self):
            program = Path(self.build_folder, self.cpp.build.bindir, "consumer")
            self.run(f'"{program}"', env="conanrun")
