; DXIL: sums, votes and reads of other lanes
0:
  %3 = call i32 @ThreadId(i32 0)
  %4 = shl i32 %3, 2
  %7 = call i32 @RawBufferLoad(t0, i32 %4)
  %8 = and i32 %7, 4095
  %9 = call i32 @WaveActiveSum(i32 %8)
  %10 = call i1 @WaveIsFirstLane()
  br i1 %10, label %11, label %14
11:
  %13 = call i32 @AtomicAdd(u1, i32 0, i32 %9)
  br label %14
14:
  %15 = call i32 @WaveActiveUMax(i32 %8)
  %16 = call i1 @WaveIsFirstLane()
  br i1 %16, label %17, label %20
17:
  %19 = call i32 @AtomicUMax(u1, i32 4, i32 %15)
  br label %20
20:
  %21 = call i32 @WavePrefixSum(i32 1)
  %22 = call i32 @WaveGetLaneIndex()
  %23 = icmp eq i32 %21, %22
  %24 = zext i1 %23 to i32
  %25 = add i32 %4, 256
  call void @RawBufferStore(u1, i32 %25, i32 %24)
  %27 = and i32 %7, 1
  %28 = icmp ne i32 %27, 0
  %29 = call fouri32 @WaveActiveBallot(i1 %28)
  %30 = call i1 @WaveIsFirstLane()
  br i1 %30, label %31, label %45
31:
  %32 = extractvalue fouri32 %29, 0
  %33 = call i32 @Countbits(i32 %32)
  %34 = extractvalue fouri32 %29, 1
  %35 = call i32 @Countbits(i32 %34)
  %36 = add i32 %35, %33
  %37 = extractvalue fouri32 %29, 2
  %38 = call i32 @Countbits(i32 %37)
  %39 = add i32 %36, %38
  %40 = extractvalue fouri32 %29, 3
  %41 = call i32 @Countbits(i32 %40)
  %42 = add i32 %39, %41
  %44 = call i32 @AtomicAdd(u1, i32 8, i32 %42)
  br label %45
45:
  %47 = xor i32 %22, 1
  %48 = call i32 @WaveReadLaneAt(i32 %8, i32 %47)
  %49 = add i32 %4, 512
  call void @RawBufferStore(u1, i32 %49, i32 %48)
  %51 = call i1 @WaveAllTrue(i1 true)
  br i1 %51, label %52, label %54
52:
  %53 = call i32 @WaveReadLaneFirst(i32 5)
  br label %54
54:
  %55 = phi i32 [ %53, %52 ], [ 0, %45 ]
  %56 = add i32 %4, 768
  call void @RawBufferStore(u1, i32 %56, i32 %55)
  ret void
