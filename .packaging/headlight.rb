# A formula for Homebrew. UNTESTED: only its syntax was checked. Fill in where the tarball of
# `make dist` lies, and its sum.
class Headlight < Formula
  desc "See through multi-head attention"
  homepage "https://example.invalid/headlight"
  url "https://example.invalid/headlight-0.1.0.tar.xz"
  sha256 "0" * 64
  license "MIT"

  depends_on "cairo"
  depends_on "cglm" => :build
  depends_on "pkgconf" => :build
  depends_on "fontconfig"
  depends_on "fribidi"
  depends_on "jansson"
  depends_on "libepoxy"
  depends_on "libpng"
  depends_on "libzip"
  depends_on "sdl2"
  depends_on "sdl2_ttf"
  depends_on "utf8proc"

  on_linux do
    depends_on "lapack"
  end

  def install
    system "make", "install", "PREFIX=#{prefix}"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/headlight --version")
    system bin/"headlight", "render", "-o", "picture.png"
    assert_path_exists testpath/"picture.png"
  end
end
