/**
 * A sound gray JPEG (ITU-T T.81), as wide as high: of every block two bits say that it is as gray as the one before.
 */
export const makeJpeg = (side: number): Buffer => {
  const segment = (marker: number, ...body: number[]) =>
    Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255, ...body]);
  const oneCode = [1, ...new Array<number>(15).fill(0), 0];
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...new Array<number>(64).fill(1)),
    segment(0xc0, 8, side >> 8, side & 255, side >> 8, side & 255, 1, 1, 0x11, 0),
    segment(0xc4, 0x00, ...oneCode),
    segment(0xc4, 0x10, ...oneCode),
    segment(0xda, 1, 1, 0, 0, 63, 0),
    Buffer.alloc(Math.ceil(Math.ceil(side / 8) ** 2 / 4)),
    Buffer.from([0xff, 0xd9]),
  ]);
};
