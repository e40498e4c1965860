; DXIL: how long numbers take to come to 1
0:
  %3 = call i32 @ThreadId(i32 0)
  %4 = shl i32 %3, 2
  %7 = call i32 @RawBufferLoad(t0, i32 %4)
  %8 = and i32 %7, 65535
  %9 = add i32 %8, 1
  %10 = icmp eq i32 %8, 0
  br i1 %10, label %38, label %12
12:
  %13 = phi i32 [ %25, %24 ], [ 0, %0 ]
  %14 = phi i32 [ %26, %24 ], [ %9, %0 ]
  %15 = phi i32 [ %19, %24 ], [ 0, %0 ]
  %16 = phi i32 [ %27, %24 ], [ %9, %0 ]
  %17 = icmp ugt i32 %15, 399
  br i1 %17, label %34, label %18
18:
  %19 = add i32 %15, 1
  %20 = and i32 %16, 1
  %21 = icmp eq i32 %20, 0
  br i1 %21, label %22, label %29
22:
  %23 = lshr i32 %16, 1
  br label %24
24:
  %25 = phi i32 [ %13, %22 ], [ %32, %29 ]
  %26 = phi i32 [ %14, %22 ], [ %33, %29 ]
  %27 = phi i32 [ %23, %22 ], [ %31, %29 ]
  %28 = icmp eq i32 %27, 1
  br i1 %28, label %34, label %12
29:
  %30 = mul i32 %16, 3
  %31 = add i32 %30, 1
  %32 = add i32 %13, 1
  %33 = call i32 @UMax(i32 %14, i32 %31)
  br label %24
34:
  %35 = phi i32 [ %25, %24 ], [ %13, %12 ]
  %36 = phi i32 [ %26, %24 ], [ %14, %12 ]
  %37 = phi i32 [ %19, %24 ], [ %15, %12 ]
  br label %38
38:
  %39 = phi i32 [ 0, %0 ], [ %35, %34 ]
  %40 = phi i32 [ %9, %0 ], [ %36, %34 ]
  %41 = phi i32 [ 0, %0 ], [ %37, %34 ]
  %42 = shl i32 %3, 4
  call void @RawBufferStore(u1, i32 %42, i32 %41)
  %44 = or i32 %42, 4
  call void @RawBufferStore(u1, i32 %44, i32 %40)
  %46 = or i32 %42, 8
  call void @RawBufferStore(u1, i32 %46, i32 %39)
  br label %51
51:
  %52 = phi i32 [ 0, %38 ], [ %74, %73 ]
  %53 = phi i32 [ %7, %38 ], [ %56, %73 ]
  %54 = lshr i32 %53, 3
  %55 = xor i32 %54, %53
  %56 = mul i32 %55, 2654435761
  %57 = add i32 %52, 1
  %58 = and i32 %56, 3
  %59 = icmp eq i32 %58, 0
  br i1 %59, label %73, label %61
61:
  %62 = phi i32 [ %68, %67 ], [ %57, %51 ]
  %63 = phi i32 [ %69, %67 ], [ 0, %51 ]
  %64 = lshr i32 %56, %63
  %65 = urem i32 %64, 7
  %66 = icmp eq i32 %65, 3
  br i1 %66, label %71, label %67
67:
  %68 = add i32 %63, %62
  %69 = add i32 %63, 1
  %70 = icmp ult i32 %69, %58
  br i1 %70, label %61, label %71
71:
  %72 = phi i32 [ %62, %61 ], [ %68, %67 ]
  br label %73
73:
  %74 = phi i32 [ %57, %51 ], [ %72, %71 ]
  %75 = and i32 %56, 15
  %76 = icmp ne i32 %75, 7
  %77 = icmp ult i32 %74, 200
  %78 = and i1 %76, %77
  br i1 %78, label %51, label %79
79:
  %80 = or i32 %42, 12
  call void @RawBufferStore(u1, i32 %80, i32 %74)
  ret void
