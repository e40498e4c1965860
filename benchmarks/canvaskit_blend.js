// Blend pixels with runtime blenders of canvaskit-wasm, in 32-bit floats without a colour space.
//
//     node canvaskit_blend.js < jobs.json > results.json
//
// Jobs are a list of {source, uniforms, width, height, src, dst}: numbers, colours premultiplied.
// Results are a list of {pixels} or {error}.

const CanvasKitInit = require("canvaskit-wasm/bin/canvaskit.js");

function image(kit, info, numbers) {
  const bytes = new Uint8Array(new Float32Array(numbers).buffer);
  return kit.MakeImage(info, bytes, info.width * 16);
}

function blended(kit, job) {
  let message = "";
  const effect = kit.RuntimeEffect.MakeForBlender(job.source, (text) => { message = text; });
  if (!effect) return { error: message };
  const info = {
    width: job.width, height: job.height, colorType: kit.ColorType.RGBA_F32,
    alphaType: kit.AlphaType.Premul, colorSpace: null,
  };
  const held = kit.Malloc(Float32Array, job.width * job.height * 4);
  const surface = kit.MakeRasterDirectSurface(info, held, job.width * 16);
  const canvas = surface.getCanvas();
  const paint = new kit.Paint();
  const put = (numbers) => {
    const picture = image(kit, info, numbers);
    const shader = picture.makeShaderOptions(
      kit.TileMode.Clamp, kit.TileMode.Clamp, kit.FilterMode.Nearest, kit.MipmapMode.None);
    paint.setShader(shader);
    canvas.drawPaint(paint);
    shader.delete();
    picture.delete();
  };
  paint.setBlendMode(kit.BlendMode.Src);
  put(job.dst);
  const blender = effect.makeBlender(job.uniforms);
  paint.setBlender(blender);
  put(job.src);
  surface.flush();
  const pixels = Array.from(held.toTypedArray());
  [blender, paint, surface, effect].forEach((each) => each.delete());
  kit.Free(held);
  return { pixels };
}

CanvasKitInit().then((kit) => {
  const jobs = JSON.parse(require("fs").readFileSync(0, "utf-8"));
  const results = jobs.map((job) => {
    try {
      return blended(kit, job);
    } catch (error) {
      return { error: String(error) };
    }
  });
  // JSON has no infinity and no NaN.
  const plain = (key, value) =>
    typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
  process.stdout.write(JSON.stringify(results, plain));
});
