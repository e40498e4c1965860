# The formula for Homebrew, for whoever submits it: url and digests are those of the release.
# `brew update-python-resources unshade` writes the resources of the dependencies.
class Unshade < Formula
  include Language::Python::Virtualenv

  desc "Open, show, change and run compiled shaders, without a GPU"
  homepage "https://github.com/OWNER/unshade"
  url "https://github.com/OWNER/unshade/releases/download/v0.1.0/unshade-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "libyaml"
  depends_on "numpy"
  depends_on "pillow"
  depends_on "python@3.13"

  def install
    virtualenv_install_with_resources
    generate_completions_from_executable(bin/"unshade", "completion", shells: [:bash, :zsh, :fish])
    pkgshare.install "examples"
  end

  test do
    assert_match "pixel shader 5.0", shell_output("#{bin}/unshade info #{pkgshare}/examples/phong.dxbc")
    system bin/"unshade", "render", pkgshare/"examples/gyroid.dxbc", "--size", "16x16", "-o", "a.png"
    assert_predicate testpath/"a.png", :exist?
  end
end
