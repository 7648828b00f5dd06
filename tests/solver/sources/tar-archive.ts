export interface TarMember {
  readonly name: string;
  readonly content?: string | Buffer;
  readonly mode?: number;
  /** The type in the header: `0` a file, `1` a hard link, `2` a symbolic link, `5` a folder. */
  readonly type?: string;
  readonly target?: string;
}

/** A tar archive in the GNU format, as written by dpkg and npm. */
export function tarArchive(members: readonly TarMember[]): Buffer {
  return Buffer.concat([...members.map(tarMember), Buffer.alloc(1024)]);
}

function tarMember({ name, content = '', mode = 0o644, type = '0', target = '' }: TarMember): Buffer {
  const data = Buffer.from(content);
  const long =
    Buffer.byteLength(name) > 100
      ? tarMember({ name: '././@LongLink', type: 'L', content: `${name}\0` })
      : '';
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write(mode.toString(8).padStart(7, '0'), 100);
  header.write('0000000', 108);
  header.write('0000000', 116);
  header.write(data.length.toString(8).padStart(11, '0'), 124);
  header.write('00000000000', 136);
  header.write('        ', 148);
  header.write(type, 156);
  header.write(target, 157, 100);
  header.write('ustar  \0', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const padding = Buffer.alloc((512 - (data.length % 512)) % 512);
  return Buffer.concat([Buffer.from(long), header, data, padding]);
}
