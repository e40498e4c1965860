"""Tint, the compiler of WGSL in Chromium, as a judge of WGSL; tests skip where it is missing."""

from functools import cache
from typing import Any

import pytest

from tests.report.browser import CHROMIUM, need_browser, playwright

ARGUMENTS = [
    "--no-sandbox", "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader",
    "--enable-features=Vulkan", "--ignore-gpu-blocklist",
]  # fmt: skip
WANTED = ["subgroups", "clip-distances", "shader-f16", "float32-filterable"]
DEVICE = """async wanted => {
    const adapter = navigator.gpu && await navigator.gpu.requestAdapter();
    if (!adapter) return false;
    const requiredFeatures = wanted.filter(each => adapter.features.has(each));
    window.device = await adapter.requestDevice({requiredFeatures});
    return true;
}"""
COMPILED = """async text => {
    window.device.pushErrorScope("validation");
    const module = window.device.createShaderModule({code: text});
    const found = (await module.getCompilationInfo()).messages;
    await window.device.popErrorScope();
    return found.filter(each => each.type === "error")
        .map(each => `line ${each.lineNum}: ${each.message}`).join("; ");
}"""


@cache
def page() -> Any:
    """Return a page with a device, in a browser of its own; skip if there is none."""
    need_browser()
    browser = playwright().chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
    found = browser.new_page()
    found.route("**/*", lambda route: route.fulfill(body="<html>", content_type="text/html"))
    found.goto("https://localhost/")  # nothing is loaded: a device needs a secure page
    if not found.evaluate(DEVICE, WANTED):
        pytest.skip("this Chromium has no device for WebGPU")
    return found


def refusal(text: str) -> str:
    """Return what Tint says against a text; "" if it accepts it."""
    return str(page().evaluate(COMPILED, text))
