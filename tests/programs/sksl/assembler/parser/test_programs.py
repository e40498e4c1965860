"""Programs as they are parsed: what upstream prints of them without optimisation, or its messages.

Each row is a text and `! ` with the messages, or the part of the program that the text became.
"""
# ruff: noqa: E501

from __future__ import annotations

import pytest

from tests.programs.sksl.compiling import messages, unit_of, upstream
from unshade.programs.sksl.tables.enumerations import SkslProgramKind

DECLARATIONS = [
    ("uniform float a;", "uniform float a;"),
    ("uniform float a, b;", "uniform float a;uniform float b;"),
    ("uniform float a[2];", "uniform float a[2];"),
    ("uniform float a[2], b[3];", "uniform float a[2];uniform float b[3];"),
    ("uniform half4 c = half4(1);", "! 'uniform' variables cannot use initializer expressions"),
    ("const float k = 2;", "const float k = 2.0;"),
    (
        "const int n = 3; const float q[2] = float[2](1, 2);",
        "! construction of array type 'float[2]' is not supported",
    ),
    ("float g;", "float g;"),
    ("in float a;", "! 'in' variables not permitted in runtime effects"),
    ("out float a;", "out float a;"),
    ("uniform shader s;", "uniform shader s;"),
    ("uniform colorFilter f; uniform blender b;", "uniform colorFilter f;uniform blender b;"),
    ("shader s;", "! variables of type 'shader' must be uniform"),
    ("uniform sampler2D t;", "! invalid type"),
    ("layout(color) uniform half4 c;", "layout (color)uniform half4 c;"),
    (
        "layout(color) uniform float c;",
        "! 'layout(color)' is not permitted on variables of type 'float'",
    ),
    ("layout(location = 1) uniform float a;", "layout (location = 1)uniform float a;"),
    (
        "layout(set = 1, binding = 2) uniform float a;",
        "! layout qualifier 'binding' is not permitted here; layout qualifier 'set' is not permitted here",
    ),
    ("layout(color, color) uniform half4 c;", "! layout qualifier 'color' appears more than once"),
    ("layout(nothing) uniform half4 c;", "! 'nothing' is not a valid layout qualifier"),
    (
        "layout(color = 1) uniform half4 c;",
        "! expected ',', but found '='; expected a type, but found '1'",
    ),
    ("uniform uniform float a;", "uniform float a;"),
    ("flat uniform float a;", "flat uniform float a;"),
    ("highp uniform float a;", "uniform float a;"),
    ("const uniform float a = 1;", "! 'uniform' variables cannot use initializer expressions"),
    ("inout float a;", "! 'in' variables not permitted in runtime effects"),
    (";", "! expected a declaration, but found ';'"),
    ("struct S { float x; };", "struct S { float x; };"),
    ("struct S { float x; float2 y[2]; } s;", "struct S { float x; float2[2] y; };S s;"),
    ("struct S { float x; float x; };", "! field 'x' was already defined in the same struct ('S')"),
    ("struct S { };", "! struct 'S' must contain at least one field"),
    ("struct S { void v; };", "! type 'void' is not permitted in a struct"),
    ("struct S { shader s; };", "! opaque type 'shader' is not permitted in a struct"),
    ("struct S { const float x; };", "! modifier 'const' is not permitted on a struct field"),
    (
        "struct S { S s; };",
        "! no type named 'S'; no type named 's'; expected a declaration, but found ';'; expected a type, but found '}'",
    ),
    ("struct S { float x; } ; struct S { float y; };", "! symbol 'S' was already defined"),
    ("struct float { int x; };", "! expected an identifier, but found type 'float'"),
    ("struct S { layout(location = 1) float x; };", "struct S { layout (location = 1)float x; };"),
    ("struct S { float x, y; };", "struct S { float x; float y; };"),
    ("struct S { float x[]; };", "! unsized arrays are not permitted here"),
    ("struct S { float x[0]; };", "! array size must be positive"),
    ("struct S { float[2] x; };", "struct S { float[2] x; };"),
    ("float f() { return 1; }", "float f() {\nreturn 1.0;\n}\n"),
    ("float f();", "float f();"),
    ("float f(float x);", "float f(float x);"),
    (
        "float f(float x) { return x; } float f(float2 x) { return x.x; }",
        "float f(float x) {\nreturn x;\n}\nfloat f(float2 x) {\nreturn x.x;\n}\n",
    ),
    (
        "float f(float x) { return x; } float f(float x) { return 1; }",
        "! duplicate definition of float f(float x)",
    ),
    (
        "float f(float x) { return x; } half f(float x) { return 1; }",
        "! functions 'half f(float x)' and 'float f(float x)' differ only in return type",
    ),
    ("float f(out float x) { x = 1; return x; }", "float f(float x) {\n(x = 1.0);\nreturn x;\n}\n"),
    ("float f(inout float x) { return x; }", "float f(float x) {\nreturn x;\n}\n"),
    ("float f(in float x) { return x; }", "float f(float x) {\nreturn x;\n}\n"),
    ("float f(const float x) { return x; }", "float f(float x) {\nreturn x;\n}\n"),
    ("float f(const in float x) { return x; }", "float f(float x) {\nreturn x;\n}\n"),
    ("float f(uniform float x) { return x; }", "! 'uniform' is not permitted here"),
    ("float f(float x[2]) { return x[1]; }", "float f(float[2] x) {\nreturn x[1];\n}\n"),
    ("float f(float[2] x) { return x[1]; }", "float f(float[2] x) {\nreturn x[1];\n}\n"),
    (
        "float f(float x[]) { return x[1]; }",
        "! unsized arrays are not permitted here; expected array, but found 'float'",
    ),
    ("float f(void x) { return 1; }", "! expected ')', but found 'x'"),
    ("void f(void) { }", "void f() {\n}\n"),
    ("float f(void) { return 1; }", "float f() {\nreturn 1.0;\n}\n"),
    ("void f() { return; }", "void f() {\nreturn;\n}\n"),
    ("void f() { return 1; }", "! may not return a value from a void function"),
    ("float f() { return; }", "! expected function to return 'float'"),
    ("float f() { }", "! function 'f' can exit without returning a value"),
    ("inline float f() { return 1; }", "float f() {\nreturn 1.0;\n}\n"),
    ("noinline float f() { return 1; }", "float f() {\nreturn 1.0;\n}\n"),
    (
        "inline noinline float f() { return 1; }",
        "! functions cannot be both 'inline' and 'noinline'",
    ),
    ("float[2] f() { }", "! functions may not return type 'float[2]'"),
    ("shader f() { }", "! functions may not return opaque type 'shader'"),
    ("float f(float x, float x) { return x; }", "! symbol 'x' was already defined"),
    ("float f(float) { return 1; }", "float f(float _skAnonymousParam0) {\nreturn 1.0;\n}\n"),
    ("float f(float x { return 1; }", "! expected ')', but found '{'"),
    ("float f(float x) return 1; }", "! expected '{', but found 'return'"),
    ("float f) { return 1; }", "! expected ';', but found ')'"),
    ("float 1f() { return 1; }", "! expected an identifier, but found '1'"),
    ("float for() { return 1; }", "! expected an identifier, but found 'for'"),
    (
        "asm f() { return 1; }",
        "! 'asm' is a reserved word; no type named 'asm'; no type named 'f'; expected a type, but found '('",
    ),
    (
        "goto f() { return 1; }",
        "! 'goto' is a reserved word; no type named 'goto'; no type named 'f'; expected a type, but found '('",
    ),
    ("$es3 float f() { return 1; }", "! '$es3' is not permitted here"),
]  # fmt: skip
STATEMENTS = [
    ("float a;", "float a;\n"),
    ("float a = 1;", "float a = 1.0;\n"),
    ("float a = 1, b = a;", "\nfloat a = 1.0;\nfloat b = a;\n\n"),
    ("float a, b[2];", "\nfloat a;\nfloat b[2];\n\n"),
    ("float a[2] = float[2](1, 2);", "! construction of array type 'float[2]' is not supported"),
    ("int a[2];", "int a[2];\n"),
    ("int[2] a;", "int a[2];\n"),
    ("int[] a;", "! unsized arrays are not permitted here"),
    ("int a[];", "! unsized arrays are not permitted here"),
    ("int a[-1];", "! array size must be positive"),
    ("int a[0];", "! array size must be positive"),
    ("int a[1.5];", "! array size must be an integer"),
    ("int a[p.x];", "! array size must be an integer"),
    ("const int n = 2; int a[n];", "const int n = 2;\nint a[2];\n"),
    ("int a[2][3];", "! multi-dimensional arrays are not supported"),
    ("int a[2], b = 1;", "\nint a[2];\nint b = 1;\n\n"),
    ("const float a;", "! 'const' variables must be initialized"),
    ("const float a = 1; a = 2;", "! cannot modify immutable variable 'a'"),
    ("float a = 1; float a = 2;", "! symbol 'a' was already defined"),
    ("float a = 1; { float a = 2; }", "float a = 1.0;\n{\nfloat a = 2.0;\n}\n\n"),
    ("float p = 1;", "float p = 1.0;\n"),
    ("void v;", "! variables of type 'void' are not allowed"),
    (
        "shader s;",
        "! variables of type 'shader' must be global; variables of type 'shader' must be uniform",
    ),
    ("uniform float a;", "! expected expression, but found 'uniform'"),
    ("if (p.x > 0) { }", "if ((p.x > 0.0)) {\n}\n\n"),
    ("if (p.x > 0) ; else ;", "if ((p.x > 0.0)) {\n}\n else {\n}\n\n"),
    (
        "if (p.x > 0) { float b = 1; } else { float c = 2; }",
        "if ((p.x > 0.0)) {\nfloat b = 1.0;\n}\n else {\nfloat c = 2.0;\n}\n\n",
    ),
    ("if (p.x) { }", "! expected 'bool', but found 'float'"),
    ("if (true) { }", "if (true) {\n}\n\n"),
    ("if (p.x > 0) float a = 1;", "! variable 'a' must be created in a scope"),
    ("for (int i = 0; i < 3; i++) { }", ";\n"),
    (
        "for (int i = 0; i < 3; i++) { p.x += 1; }",
        "for (int i = 0; (i < 3); i++) {\n(p.x += 1.0);\n}\n\n",
    ),
    (
        "for (int i = 0; i < 3; ++i) p.x += float(i);",
        "for (int i = 0; (i < 3); ++i) (p.x += float(i));\n",
    ),
    ("for (;;) { }", "! missing init declaration"),
    ("for (int i = 0; ; i++) { break; }", "! missing condition"),
    ("for (int i = 0; i < 3; ) { }", "! missing loop expression"),
    (
        "for (float f = 0; f < 1; f += 0.25) { p += f; }",
        "for (float f = 0.0; (f < 1.0); (f += 0.25)) {\n(p += f);\n}\n\n",
    ),
    (
        "for (int i = 3; i > 0; i--) { p.y = 1; continue; }",
        "for (int i = 3; (i > 0); i--) {\n(p.y = 1.0);\ncontinue;\n}\n\n",
    ),
    ("for (int i = 0; i < 3; i++) { break; }", "for (int i = 0; (i < 3); i++) {\nbreak;\n}\n\n"),
    (
        "for (int i = 0; i < 3; i += 2) { i = 1; }",
        "! loop index must not be modified within body of the loop",
    ),
    (
        "for (int i = 0; i <= 1000000; i++) { p.x += 1; }",
        "! loop must guarantee termination in fewer iterations",
    ),
    ("for (int i = 0, j = 1; i < 3; i++) { }", "! invalid init declaration"),
    ("while (true) { break; }", "! while loops are not supported"),
    ("do { p.x += 1; } while (p.x < 3);", "! do-while loops are not supported"),
    (
        "switch (1) { case 1: break; default: break; }",
        "switch (1) {\ncase 1:\nbreak;default:\nbreak;}\n",
    ),
    (
        "break;",
        "! break statement must be inside a loop or switch; function 'main' can exit without returning a value",
    ),
    (
        "continue;",
        "! continue statement must be inside a loop; function 'main' can exit without returning a value",
    ),
    ("discard;", "! discard statement is only permitted in fragment shaders"),
    ("return;", "! expected function to return 'half4'"),
    (";", "{\n}\n\n"),
    ("{ }", "{\n}\n\n"),
    ("{ ; }", "{\n{\n}\n\n}\n\n"),
    ("p;", "p;\n"),
    ("p.x;", "p.x;\n"),
    ("p + 1;", "(p + 1.0);\n"),
    ("1;", "1;\n"),
    ("p = p, p.x = 2;", "(p, (p.x = 2.0));\n"),
    ("p++;", "! '++' cannot operate on 'float2'"),
    ("(p) = float2(1);", "(p = float2(1.0));\n"),
    ("float a = (1, 2);", "float a = float((1, 2));\n"),
    ("float a = p.x > 0 ? 1 : 2;", "float a = float(((p.x > 0.0) ? 1 : 2));\n"),
    ("float a = p.x > 0 ? 1;", "! expected ':', but found ';'"),
    ("float a = ;", "! expected expression, but found ';'"),
    ("float = 1;", "! cannot assign to this expression"),
    ("a = 1;", "! unknown identifier 'a'"),
    ("a();", "! unknown identifier 'a'"),
    ("p();", "! not a function"),
    ("p.x();", "! not a function"),
    ("float(1)", "! expected ';', but found 'return'"),
    (
        "half4 c = half4(1,2,3,4;",
        "! expected ')' to complete function arguments, but found ';'; expected ';', but found 'return'",
    ),
    ("p[0] = 1;", "(p.x = 1.0);\n"),
    ("p[] = 1;", "! missing index in '[]'"),
    (
        "p[0;",
        "! expected ']' to complete array access expression, but found ';'; expected ';', but found 'return'",
    ),
    (
        "p. = 1;",
        "! expected identifier, but found '='; expected field name or swizzle mask after '.'; expected ';', but found '1'",
    ),
    ("p.1 = 1;", "! swizzle must refer to base expression; expected ';', but found '='"),
    ("p.x.y = 1;", "! invalid swizzle component 'y'"),
    ("int a = 08;", "! '08' is not a valid octal number; expected expression, but found '08'"),
    ("int a = 010;", "int a = 8;\n"),
    ("int a = 0x1F;", "int a = 31;\n"),
    ("uint a = 3u;", "! type 'uint' is not supported"),
    ("int a = 4294967296;", "! integer is too large: 4294967296"),
    ("int a = 2147483648;", "! integer is out of range for type 'int': 2147483648"),
    ("float a = 1e39;", "! floating-point value is too large: 1e39"),
    ("float a = 1e-50;", "float a = 0.0;\n"),
    ("float a = .5;", "float a = 0.5;\n"),
    ("float a = 5.;", "float a = 5.0;\n"),
    ("float a = 1e3;", "float a = 1000.0;\n"),
    ("float a = 0x1p3;", "! expected ';', but found 'p3'"),
    ("bool a = true && false;", "bool a = false;\n"),
    ("bool a = !true;", "bool a = false;\n"),
    ("int a = ~1;", "! operator '~' is not allowed"),
    ("int a = 1 % 2;", "! operator '%' is not allowed"),
    ("int a = 1 << 2;", "! operator '<<' is not allowed"),
    ("float a = @;", "! expected expression, but found '@'"),
    ("float a = #;", "! expected expression, but found '#'"),
    ("float a = \"x\";", "! expected expression, but found '\"'"),
    ("int for = 1;", "! expected ';', but found 'for'"),
    ("int class = 1;", "! 'class' is a reserved word"),
    ("int gl_x = 1;", "! 'gl_x' is a reserved word"),
    ("half4 c = p.xxxx;", "half4 c = half4(p.xxxx);\n"),
    ("float2x2 m = float2x2(1); m[0][1] = 2;", "float2x2 m = float2x2(1.0);\n(m[0].y = 2.0);\n"),
    ("float a = sin(1);", "float a = 0.84147095680236816;\n"),
    ("float a = sin(1, 2);", "! no match for sin(int, int)"),
    ("float a = nosuch(1);", "! unknown identifier 'nosuch'"),
    ("float a = max(p.x, 1);", "float a = max(p.x, 1.0);\n"),
    ("float a = -p.x;", "float a =  - p.x;\n"),
    ("float a = +p.x;", "float a = p.x;\n"),
    ("float a = - -p.x;", "float a = p.x;\n"),
    ("int i = 1; i++; i--; ++i; --i;", "int i = 1;\ni++;\ni--;\n++i;\n--i;\n"),
    (
        "int i = 1; i += 2; i -= 1; i *= 3; i /= 2;",
        "int i = 1;\n(i += 2);\n(i -= 1);\n(i *= 3);\n(i /= 2);\n",
    ),
    ("float2 a = p == p ? p : p;", "float2 a = p;\n"),
    ("return half4(1); } half4 main(float2 p) {", "! duplicate definition of half4 main(float2 p)"),
]  # fmt: skip
GLOBALS = [
    ("#extension GL_EXT_a : require\n", "#extension GL_EXT_a : enable"),
    ("#extension GL_EXT_a : whatever\n", "! expected 'require', 'enable', 'warn', or 'disable'"),
    ("#extension GL_EXT_a enable\n", "! expected ':', but found 'enable'"),
    ("in float a;", "in float a;"),
    ("out half4 c;", "out half4 c;"),
    ("flat in int a;", "flat in int a;"),
    ("noperspective in float a;", "noperspective in float a;"),
    ("layout(location = 2) in float a;", "layout (location = 2)in float a;"),
    (
        "layout(location = 2, index = 1) out half4 c;",
        "layout (location = 2, index = 1)out half4 c;",
    ),
    (
        "layout(binding = 1, set = 2) uniform sampler2D t;",
        "layout (binding = 1, set = 2)uniform sampler2D t;",
    ),
    (
        "layout(binding = 3000000000) uniform sampler2D t;",
        "layout (binding = 3000000000)uniform sampler2D t;",
    ),
    (
        "layout(binding = 99999999999) uniform sampler2D t;",
        "! value in layout is too large: 99999999999",
    ),
    ("layout(offset = 8) uniform float a;", "layout (offset = 8)uniform float a;"),
    ("layout(builtin = 15) float4 q;", "layout (builtin = 15)float4 q;"),
    (
        "layout(input_attachment_index = 1) uniform subpassInput i;",
        "layout (input_attachment_index = 1)uniform subpassInput i;",
    ),
    (
        "layout(push_constant) uniform B { float a; };",
        "layout (push_constant)uniform B {\nfloat a;\n};",
    ),
    ("layout(origin_upper_left) in float4 x;", "layout (origin_upper_left)in float4 x;"),
    ("layout(blend_support_all_equations) out;", "layout (blend_support_all_equations)out;"),
    (
        "layout(binding = 0) uniform B { float a; float2 b[2]; } u;",
        "layout (binding = 0)uniform B {\nfloat a;\nfloat2[2] b;\n} u;",
    ),
    ("uniform B { float a; };", "uniform B {\nfloat a;\n};"),
    ("uniform B { float a; } u[2];", "uniform B {\nfloat a;\n} u[2];"),
    ("uniform B { };", "! interface block 'B' must contain at least one member"),
    ("B { float a; };", "B {\nfloat a;\n};"),
    ("in B { float a; } u; uniform float z;", "in B {\nfloat a;\n} u;uniform float z;"),
    (
        "layout(binding) uniform sampler2D t;",
        "! expected '=', but found ')'; expected ',', but found 'uniform'",
    ),
    (
        "layout( uniform sampler2D t;",
        "! 'uniform' is not a valid layout qualifier; expected ',', but found 'sampler2D'; no type named 't'",
    ),
    (
        "layout() uniform sampler2D t;",
        "! ')' is not a valid layout qualifier; expected ',', but found 'uniform'",
    ),
    ("float g = 1; const float k = 2;", "float g = 1.0;const float k = 2.0;"),
]  # fmt: skip
BODIES = [
    ("discard;", "discard;\n"),
    ("while (true) { }", "for (; true; ) {\n}\n\n"),
    ("do { } while (true);", "do {\n}\n while (true);\n"),
    ("switch (1) { }", "switch (1) {\n}\n"),
    (
        "switch (1) { case 0: case 1: break; default: discard; }",
        "switch (1) {\ncase 0:\n;case 1:\nbreak;default:\ndiscard;}\n",
    ),
    ("switch (1.0) { }", "! expected 'int', but found 'float'"),
    ("switch (1) { case 1: break; case 1: break; }", "! duplicate case value '1'"),
    ("switch (1) { default: default: }", "! expected expression, but found 'default'"),
    ("switch (1) { discard; }", "! expected '}', but found 'discard'"),
    ("switch (1) { case x: break; }", "! unknown identifier 'x'"),
    ("@if (true) { discard; } else { }", "{\ndiscard;\n}\n\n"),
    ("@switch (1) { case 1: discard; }", "{\ndiscard;\n}\n\n"),
    (
        "int i = 1 % 2; i <<= 1; i = i & 3 | 4 ^ 1;",
        "int i = 1;\n(i <<= 1);\n(i = ((i & 3) | 5));\n",
    ),
    ("uint u = 1u;", "uint u = 1;\n"),
    ("float a[2][2];", "! multi-dimensional arrays are not supported"),
    ("do { } while true;", "! expected '(', but found 'true'"),
    ("if true { }", "! expected '(', but found 'true'"),
    (
        "for (int i = 0; i < 3; i++) for (int j = 0; j < i; j++) { }",
        "for (int i = 0; (i < 3); i++) for (int j = 0; (j < i); j++) {\n}\n\n",
    ),
]  # fmt: skip
# Kind, whole text, and the whole result.
WHOLE = [
    ("RUNTIME_SHADER", "", "#version 100\n"),
    (
        "RUNTIME_SHADER",
        "half4 main(float2 p) { return half4(1);",
        "! expected '}', but found end of file",
    ),
    (
        "RUNTIME_SHADER",
        "half4 main(float2 p) { return half4(1); } }",
        "! expected a type, but found '}'",
    ),
    (
        "RUNTIME_SHADER",
        "half4 main(float2 p) { return half4(1) }",
        "! expected ';', but found '}'",
    ),
    (
        "RUNTIME_SHADER",
        "float main(float2 p) { return 1; }",
        "! 'main' must return: 'vec4', 'float4', or 'half4'",
    ),
    (
        "RUNTIME_SHADER",
        "half4 main() { return half4(1); }",
        "! 'main' parameters must be (float2, (vec4|float4|half4)?)",
    ),
    (
        "RUNTIME_SHADER",
        "half4 main(float2 p, half4 c) { return c; }",
        "#version 100\nhalf4 main(float2 p, half4 c) {\nreturn c;\n}\n",
    ),
    (
        "RUNTIME_SHADER",
        "half4 main(half2 p) { return half4(1); }",
        "! 'main' parameters must be (float2, (vec4|float4|half4)?)",
    ),
    (
        "RUNTIME_SHADER",
        "float4 main(float2 p) { return p.xyxy; }",
        "#version 100\nfloat4 main(float2 p) {\nreturn p.xyxy;\n}\n",
    ),
    (
        "RUNTIME_SHADER",
        "#version 100\nhalf4 main(float2 p) { return half4(1); }",
        "#version 100\nhalf4 main(float2 p) {\nreturn half4(1.0);\n}\n",
    ),
    (
        "RUNTIME_SHADER",
        "#version 300\nhalf4 main(float2 p) { return half4(1); }",
        "#version 300\nhalf4 main(float2 p) {\nreturn half4(1.0);\n}\n",
    ),
    (
        "RUNTIME_SHADER",
        "#version 200\nhalf4 main(float2 p) { return half4(1); }",
        "! unsupported version number",
    ),
    (
        "RUNTIME_SHADER",
        "#version\nhalf4 main(float2 p) { return half4(1); }",
        "! 2: expected integer literal, but found 'half4'",
    ),
    (
        "RUNTIME_SHADER",
        "half4 main(float2 p) { return half4(1); }\n#version 300\n",
        "! 2: #version directive must appear before anything else; 2: expected a type, but found '300'",
    ),
    (
        "RUNTIME_SHADER",
        "#extension x : enable\nhalf4 main(float2 p) { return half4(1); }",
        "! unsupported directive '#extension'; no type named 'x'; expected a type, but found ':'",
    ),
    (
        "RUNTIME_SHADER",
        "#nothing\nhalf4 main(float2 p) { return half4(1); }",
        "! unsupported directive '#nothing'",
    ),
    (
        "RUNTIME_COLOR_FILTER",
        "half4 main(half4 c) { return c; }",
        "#version 100\nhalf4 main(half4 c) {\nreturn c;\n}\n",
    ),
    (
        "RUNTIME_COLOR_FILTER",
        "half4 main(float2 p) { return half4(1); }",
        "! 'main' parameter must be 'vec4', 'float4', or 'half4'",
    ),
    (
        "RUNTIME_COLOR_FILTER",
        "half4 main(half4 c, half4 d) { return c; }",
        "! 'main' parameter must be 'vec4', 'float4', or 'half4'; unknown identifier 'c'",
    ),
    (
        "RUNTIME_COLOR_FILTER",
        "uniform shader s; half4 main(half4 c) { return s.eval(c.xy); }",
        "#version 100\nuniform shader s;half4 main(half4 c) {\nreturn s.eval(float2(c.xy));\n}\n",
    ),
    (
        "RUNTIME_BLENDER",
        "half4 main(half4 s, half4 d) { return s; }",
        "#version 100\nhalf4 main(half4 s, half4 d) {\nreturn s;\n}\n",
    ),
    (
        "RUNTIME_BLENDER",
        "half4 main(half4 s) { return s; }",
        "! 'main' parameters must be (vec4|float4|half4, vec4|float4|half4); unknown identifier 's'",
    ),
    (
        "RUNTIME_SHADER",
        "uniform shader s; half4 main(float2 p) { return s.eval(p); }",
        "#version 100\nuniform shader s;half4 main(float2 p) {\nreturn s.eval(p);\n}\n",
    ),
    (
        "RUNTIME_SHADER",
        "uniform shader s; half4 main(float2 p) { return s.eval(p, p); }",
        "! no match for shader::eval(float2, float2)",
    ),
    (
        "RUNTIME_SHADER",
        "uniform shader s; half4 main(float2 p) { return s.nothing(p); }",
        "! type 'shader' has no method named 'nothing'",
    ),
    (
        "RUNTIME_SHADER",
        "uniform colorFilter f; half4 main(float2 p) { return f.eval(half4(1)); }",
        "#version 100\nuniform colorFilter f;half4 main(float2 p) {\nreturn f.eval(half4(1.0));\n}\n",
    ),
    (
        "RUNTIME_SHADER",
        "uniform blender b; half4 main(float2 p) { return b.eval(half4(1), half4(0)); }",
        "#version 100\nuniform blender b;half4 main(float2 p) {\nreturn b.eval(half4(1.0), half4(0.0));\n}\n",
    ),
    (
        "RUNTIME_SHADER",
        "uniform shader s; half4 main(float2 p) { shader t = s; return half4(1); }",
        "! variables of type 'shader' must be global; variables of type 'shader' must be uniform; opaque type 'shader' cannot use initializer expressions",
    ),
    (
        "VERTEX",
        "void main() { sk_Position = float4(1); }",
        "void main() {\n(sk_PerVertex.sk_Position = float4(1.0));\n}\n",
    ),
    (
        "VERTEX",
        "in float4 p; out float4 q; void main() { q = p; sk_Position = p; }",
        "in float4 p;out float4 q;void main() {\n(q = p);\n(sk_PerVertex.sk_Position = p);\n}\n",
    ),
    (
        "VERTEX",
        "void main() { discard; }",
        "! discard statement is only permitted in fragment shaders",
    ),
    ("GENERIC", "float f() { return 1; }", "#version 100\nfloat f() {\nreturn 1.0;\n}\n"),
    (
        "GENERIC",
        "uniform float u; float f(float x) { return x * u; }",
        "#version 100\nuniform float u;float f(float x) {\nreturn (x * u);\n}\n",
    ),
]  # fmt: skip


def result(text: str, kind: SkslProgramKind, optimize: bool = False) -> str:
    found = messages(text, kind=kind)
    if found:
        return "! " + "; ".join(each.removeprefix("1: ") for each in found)
    return upstream(text, kind=kind, optimize=optimize)


def part(text: str, kind: SkslProgramKind, before: str, after: str) -> str:
    found = result(text, kind)
    if found.startswith("! "):
        return found
    assert found.startswith(before)
    assert found.endswith(after)
    return found[len(before) : len(found) - len(after)]


@pytest.mark.parametrize(("text", "wanted"), DECLARATIONS)
def test_declarations(text: str, wanted: str) -> None:
    whole = f"{text} half4 main(float2 p) {{ return half4(1); }}"
    before, after = "#version 100\n", "half4 main(float2 p) {\nreturn half4(1.0);\n}\n"
    assert part(whole, SkslProgramKind.RUNTIME_SHADER, before, after) == wanted


def valid(rows: list[tuple[str, str]]) -> list[str]:
    return [text for text, wanted in rows if not wanted.startswith("! ")]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        *(
            ("RUNTIME_SHADER", f"{each} half4 main(float2 p) {{ return half4(1); }}")
            for each in valid(DECLARATIONS)
        ),
        *(
            ("FRAGMENT", f"{each} void main() {{ sk_FragColor = half4(1); }}")
            for each in valid(GLOBALS)
        ),
    ],
)
def test_a_table_owns_each_symbol_once(kind: str, text: str) -> None:
    """A symbol that is owned twice is stored twice; one that no table owns is not stored."""
    table = unit_of(text, kind=SkslProgramKind[kind]).symbols
    owned = [id(each) for each in table.owned]
    assert len(owned) == len({*owned})
    assert {id(each) for each in table.names.values()} <= {*owned}


@pytest.mark.parametrize(("text", "wanted"), STATEMENTS)
def test_statements(text: str, wanted: str) -> None:
    whole = f"half4 main(float2 p) {{ {text} return half4(1); }}"
    before, after = "#version 100\nhalf4 main(float2 p) {\n", "return half4(1.0);\n}\n"
    assert part(whole, SkslProgramKind.RUNTIME_SHADER, before, after) == wanted


@pytest.mark.parametrize(("text", "wanted"), GLOBALS)
def test_globals_of_skia(text: str, wanted: str) -> None:
    whole = f"{text} void main() {{ sk_FragColor = half4(1); }}"
    before, after = "", "void main() {\n(sk_FragColor = half4(1.0));\n}\n"
    assert part(whole, SkslProgramKind.FRAGMENT, before, after) == wanted


@pytest.mark.parametrize(("text", "wanted"), BODIES)
def test_bodies_of_skia(text: str, wanted: str) -> None:
    whole = f"void main() {{ {text} }}"
    before, after = "void main() {\n", "}\n"
    assert part(whole, SkslProgramKind.FRAGMENT, before, after) == wanted


@pytest.mark.parametrize(("kind", "text", "wanted"), WHOLE)
def test_whole_programs(kind: str, text: str, wanted: str) -> None:
    assert result(text, SkslProgramKind[kind], optimize=True) == wanted
