"""Modules in SMOL-V, of each release, as its own encoder wrote them."""

from __future__ import annotations

import base64
import random
import zlib
from contextlib import suppress

import pytest

import unshade
from tests.examples import EXAMPLES
from unshade.archives import find
from unshade.archives.budget import UnpackBudget
from unshade.archives.smolv import HEADER, smolv
from unshade.errors import LimitError, UnsupportedError
from unshade.limits import DEFAULT, Limits

# From aras-p/smol-v at 9dd54c3 (2024), at its last state of 2019 and at that of 2016-08-31, which
# accept versions of SPIR-V up to 1.6, 1.3 and 1.0: modules of `examples/`, with that version.
PARTICLES_RELEASE_1 = (
    "c-l=+!D<sx6utM%n>S`M9bYCICrylLvMMemg+K{z+AgXn6x@e&r~_%HG-IWI(2WbxjXPbaD>s4&3PoMG?8fhK<p="
    "0}lQHzcx%a$#&OJQdy$ARA$Ymz-XoD7~t%;t4Un}Cjq07I2y#1pIjv9!I4#(-tnzmdi568!OI+-SR@W?IKkFt51r"
    "&;0JutU2xK1dc02u_k|Hc9i-B1d1!nG4_6WzHmfGRtj-{+}_O(!dk4mnTQovF(-CgX8gu%_|1hI!`9qY=2H$%0B2"
    ")`oOVjxj(of<!QQ~KbCG(wQa&`)7Z~&up=++6Zg#yI|T{2uZ*v|<Sw<qxIHqo#xKx#qfmVbd;+>;3%`@{83-LI#<"
    "@T<GSLV4?m4{BKL;W+in%sIpar2I5||Mxo<MlTd{tNNZ;|a>b`(7<?jLn{`>ym~x(2MT59=#DyrzO-%$1+I>QE4G"
    "at)i`{ZQ8G*P&W0>|0|68t*$yUpnM)tm><9+H8P&6HbdG;7$Xoy>`>m3ll;6yAc$6nifK9DMU-*h82pGUBPNk(W_"
    "23zV)ngrvCwHqf<-"
)
CLAY_FRAG_RELEASE_0 = (
    "c-l=)ziSg=7=FL!zTPG0-Q_b4B}O=Fieep(45sDKUQh|KZLH{lQ<tMg5Ryis1%(b>3N8}FsZMp!(LoRkU1}7kDmu"
    "CNAE=YK`+k=j`oa4=-}652ul9}WF_9o5i>}c4O`Al|AigWK+HpI0@bFG>p<dI@t|T!mNc<VS`fHLQC(K>Is)Mawa"
    "&KLi)GdaqNv|_Vh~}(pWan{*>O7X#GN+ki5no$eSzKwxvF<Y%?st>5juw((y+7zBT^19%uix!&4EW=r#plkD5>--"
    "kS|}+<<$Y4{1qVHcdMS~A2TY6C4DSKQ&>-Kybt5I*2!<E&*&Ob^Jf@GQed!$K#+bJnZ%yYU(ZOZb{&4g!()kxVCs"
    "N=3F_ZG_Y9Y;kIXqm@{QKtK!nkfH%5=)7wtuC3YtL_F^{F0?Hll1_^i#U1l&3UJm5Q2*%G2aIc35bMumBM%7~yf?"
    "vzfQZF1Lk?rBxTAIs3tO0I|dnEHl);*)I5PvKgE?8+<A{aLQc=;#{rtRq+ZeyU1a(2y>FBfaC5*&P$~8=Gn#h^c("
    "8lD$?GIB~6t}IlX8u+rgz39M~RkyZVTp`cKUNWDRSO"
)
CLAY_FRAG_FIRST_RELEASE = (
    "c-l=*ziSjx5T2QR_x5gYU-spP7!9m3Az~1YfS$6L?4fd;F=v8qn`Vhu2zNO-O(9s=2sUzvRjgv6rG+2{(!^7&qG)"
    "B~f1p-kWuY^BTlnC8-+uFbGxN5&b~OP&0C3?V49~O%cue@kQlptPE4T05sGO-Th_j;r`+=gLgXh0AII5s`h}<f%)"
    "k$w|N~G#CTuM8wUJ7v5%}2KGwxG&mVIz0yMHb2B<<;fYdXh+=!*HveZnQ)whRtrTleSqDq_5lVZuR7u)Bu<T`<G8"
    "J0~U^>B?S9NbO;th<O@&8K2ubBO*D-!7~T;1j(~be#>5s)OwLHmujgy_R9XH3_LToW*M@w*_DcIx0Q(nMhyB6tSn"
    "5x=k7U00bvEPq^&qQ%JUCbq{&8)0X_(uNbDi<A2j4Tkz8lu^e5U(@tvKHoe^Z8xUluBRC81K$6>@bU3K|#%gpnmD"
    "8YTLmOD=emO*AyOZV2o1Z#|z7uP_{5VVL~vaT)O*V`c6{<^7mX+HbRSa$(|=<rTPMNa6Sx>2Z{(q0{fUPMFO*$1W"
    "bqJ|pQJ#jN-IgwWB&qAZ%qcW~6;zBfX6YGx50g%9;VhMRG("
)
CLAY_VERT_FIRST_RELEASE = (
    "c-l3NJ5K^Z6ov0SGwiM)%<vGXh_0oL&BoARMQnVKnAj77$r@k{8f`6YER26Z3oWrSn$W0)m4C&`(n9Ync$4qk*O|"
    "%P-rLzHVj}Wsg=X=oh_1o6n)uNWf4$#-djzF3o*y~qup5t@FA78s;{Lg74ukpYGZ}Qo$x**|8Ykk5{Q1x=+YpIIo"
    "#Z5*ZQCjx>?Y%3caVOnMUDsEUf(qtk<tGyzy?ufOHQ>St7LyAOh{HPw?D3KkmUvoX(kQv<>&^LJB{oUu*?r4&p=)"
    "|(Jz3}6Bs*@qGh?zf)Wr2R_X=8O!cC>nx;B0`C_wKT;paD+$=$*ED2@c!^`F<S6}A>>W;9+VU=F92GHdS{2E*ETg"
    "iY`xeBiq5??hgy+6xjJ`?"
)


def packed(text: str) -> bytes:
    return zlib.decompress(base64.b85decode(text))


def example(name: str, version: int | None = None) -> bytes:
    """Return a module of the examples, with another version of SPIR-V."""
    data = (EXAMPLES / name).read_bytes()
    return data if version is None else data[:4] + version.to_bytes(4, "little") + data[8:]


CASES = {
    "1": (packed(PARTICLES_RELEASE_1), example("particles.spv")),
    "0": (packed(CLAY_FRAG_RELEASE_0), example("clay.frag.spv", 0x10000)),
    "first, fragment": (packed(CLAY_FRAG_FIRST_RELEASE), example("clay.frag.spv", 0x10000)),
    "first, vertex": (packed(CLAY_VERT_FIRST_RELEASE), example("clay.vert.spv", 0x10000)),
}


@pytest.mark.parametrize("release", CASES)
def test_a_module_is_read_to_its_end(release: str) -> None:
    data, module = CASES[release]
    (found,) = find(b"cache" + data + b"LOMS and more")
    assert found.data == module
    assert found.path == "smolv@0x5!spv@0x0"
    opened = smolv(data + bytes(9), 0, UnpackBudget(DEFAULT, len(data)))
    assert opened is not None
    assert opened.size == len(data)


def test_inside_a_compressed_cache() -> None:
    data, module = CASES["1"]
    (found,) = find(b"GRBD" + zlib.compress(b"head" + data))
    assert (found.path, found.data) == ("zlib@0x4!smolv@0x4!spv@0x0", module)
    with pytest.raises(UnsupportedError, match="smolv: what is inside cannot be put back"):
        unshade.put_back(data, {"smolv@0x0!spv@0x0": module})


@pytest.mark.parametrize("release", CASES)
def test_a_cut_module_is_none(release: str) -> None:
    data, _ = CASES[release]
    for size in range(0, len(data), 7):
        assert [*find(data[:size], strict=False)] == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_damaged_modules(seed: int) -> None:
    chance = random.Random(seed)
    for data, _ in CASES.values():
        for _ in range(60):
            bad = bytearray(data)
            for _ in range(chance.randint(1, 3)):
                bad[chance.randrange(4, len(bad))] = chance.choice((0, 0x7F, 0x80, 0xFF))
            with suppress(LimitError):
                list(find(bytes(bad), strict=False))


def header(size: int) -> bytes:
    return b"LOMS" + HEADER.pack(0x01010000, 0, 1 << 20, 0, size)[4:]


def test_sizes_that_lie() -> None:
    for size in (0, 3, 16, 20, 21, 1 << 20, 0xFFFFFFFC):
        assert [*find(header(size) + b"\x07" * 99)] == []


@pytest.mark.slow
def test_many_headers_and_a_bomb_end_with_the_limit() -> None:
    """Each header leads to the same instructions; an instruction of two bytes makes four words."""
    with pytest.raises(LimitError, match="limit unpacked"):
        list(find(header(12_000) * 400 + bytes(99), limits=Limits(unpacked=1 << 16)))
    members = b"\x67\x00\xff" + b"\x00" * 510
    data = header(4 * 4 * 255 * 50 + 20) + members * 50
    with pytest.raises(LimitError, match="limit unpacked"):
        list(find(data * 20, limits=Limits(unpacked=1 << 16)))
