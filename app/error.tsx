"use client";

import { Failure } from "#components/failure.tsx";

export default Failure;
