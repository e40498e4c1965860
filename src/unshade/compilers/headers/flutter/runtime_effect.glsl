// Stands in for the header of Flutter's engine, which its fragment shaders include:
// https://docs.flutter.dev/ui/design/graphics/fragment-shaders
// FlutterFragCoord() is the position of the pixel's centre in the shader's own coordinates, with
// the origin at the top left.

#ifndef UNSHADE_FLUTTER_RUNTIME_EFFECT
#define UNSHADE_FLUTTER_RUNTIME_EFFECT

vec2 FlutterFragCoord() {
    return gl_FragCoord.xy;
}

#endif
