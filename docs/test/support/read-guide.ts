import { readFileSync } from "node:fs";
import path from "node:path";

export interface GuideBlock {
  /** `ts`, `sh`, … */
  readonly language: string;
  /** The path of the file that the block shows, in the repository. */
  readonly file: string | undefined;
  readonly code: string;
  /** The text between the previous block and this block. */
  readonly introduction: string;
}

/** All code blocks of a page, in order. */
export function readGuide(page: URL): readonly GuideBlock[] {
  const text = readFileSync(page, "utf8");
  let end = 0;
  return [...text.matchAll(/^```(\w+)[ \t]*(.*)\n([\s\S]*?)^```$/gmu)].map((match) => {
    const [whole, language = "", info = "", code = ""] = match;
    const introduction = text.slice(end, match.index);
    end = match.index + whole.length;
    return { language, file: /^file=(\S+)$/u.exec(info)?.[1], code, introduction };
  });
}

/** The paths under which the guide tells readers to save the file, if they differ from its name. */
export function readPlaces({ introduction }: GuideBlock): readonly string[] {
  return [...introduction.matchAll(/ as `([\w./]+\.ts)`/gu)].map(([, place = ""]) => path.normalize(place));
}
