; DXIL: a constant buffer, sums in a stated order
0:
  %5 = call i32 @ThreadId(i32 0)
  %6 = shl i32 %5, 2
  %9 = call float @RawBufferLoad(t2, i32 %6)
  %10 = add i32 %6, 4
  %12 = call float @RawBufferLoad(t2, i32 %10)
  %13 = fadd float %12, %9
  %14 = add i32 %6, 8
  %16 = call float @RawBufferLoad(t2, i32 %14)
  %17 = fadd float %13, %16
  %18 = add i32 %6, 12
  %20 = call float @RawBufferLoad(t2, i32 %18)
  %21 = fadd float %17, %20
  %22 = fmul float %21, 1.5
  %23 = call CBufRet.f32 @CBufferLoadLegacy(cb0, i32 1)
  %24 = extractvalue CBufRet.f32 %23, 0
  %25 = extractvalue CBufRet.f32 %23, 1
  %26 = call CBufRet.f32 @CBufferLoadLegacy(cb0, i32 2)
  %27 = extractvalue CBufRet.f32 %26, 0
  %28 = extractvalue CBufRet.f32 %26, 1
  %29 = call CBufRet.f32 @CBufferLoadLegacy(cb0, i32 0)
  %30 = extractvalue CBufRet.f32 %29, 1
  %31 = fmul float %22, %24
  %32 = call float @FMad(float %30, float %27, float %31)
  %33 = fmul float %22, %25
  %34 = call float @FMad(float %30, float %28, float %33)
  %35 = extractvalue CBufRet.f32 %29, 2
  %36 = extractvalue CBufRet.f32 %29, 3
  %37 = fadd float %35, %32
  %38 = fadd float %34, %36
  %39 = bitcast float %37 to i32
  %40 = shl i32 %5, 4
  call void @RawBufferStore(u1, i32 %40, i32 %39)
  %42 = call CBufRet.i32 @CBufferLoadLegacy(cb0, i32 0)
  %43 = extractvalue CBufRet.i32 %42, 0
  %44 = add i32 %43, 13
  %45 = or i32 %40, 4
  call void @RawBufferStore(u1, i32 %45, i32 %44)
  %47 = or i32 %40, 8
  call void @RawBufferStore(u1, i32 %47, i32 1)
  %49 = bitcast float %38 to i32
  %50 = or i32 %40, 12
  call void @RawBufferStore(u1, i32 %50, i32 %49)
  ret void
