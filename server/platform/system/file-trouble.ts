import { reasonOf } from '../../domain/text/reason-of.ts'

/** Why a file cannot be used, and what to do about it. */
export interface Trouble {
  readonly what: string
  readonly advice: string
}

export const DISK_FULL: Trouble = { what: 'the disk is full', advice: 'Make room' }

export const FILE_READ_ONLY: Trouble = {
  what: 'it is read-only',
  advice: 'Give this user the right to write to the file and its folder',
}

export const DISK_FAILING: Trouble = {
  what: 'the disk fails to read or write it',
  advice: 'Check the disk',
}

const TROUBLE_BY_CODE: Readonly<Record<string, Trouble>> = {
  ENOSPC: DISK_FULL,
  EDQUOT: DISK_FULL,
  EFBIG: DISK_FULL,
  EROFS: FILE_READ_ONLY,
  EACCES: FILE_READ_ONLY,
  EPERM: FILE_READ_ONLY,
  EIO: DISK_FAILING,
}

/** Why a system call for a file failed. `undefined` for other failures. */
export const fileTroubleOf = (error: unknown): Trouble | undefined => TROUBLE_BY_CODE[codeOf(error)]

const PATH_PROBLEMS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder. Name a file in it',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EEXIST: 'a part of its path is a file, not a folder',
  ELOOP: 'its symbolic links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  ENXIO: 'it is a socket, not a file',
}

/** Why a file or folder of the user cannot be used, as part of a sentence. */
export const explainPathError = (error: unknown): string =>
  PATH_PROBLEMS[codeOf(error)] ?? fileTroubleOf(error)?.what ?? reasonOf(error)

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''
