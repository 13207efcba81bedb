import type { createPost, Post } from './post.ts'

type Options = Parameters<typeof createPost>[0]

/** Loads what posts with the first webhook: a start has no use for it, and would take a fifth longer. */
export function createLazyPost(options: Options): ReturnType<typeof createPost> {
  let loading: Promise<ReturnType<typeof createPost>> | undefined

  async function load(): Promise<ReturnType<typeof createPost>> {
    const module = await import('./post.ts')
    return module.createPost(options)
  }
  const post: Post = async (...sent) => (await (loading ??= load())).post(...sent)
  return {
    post,
    async close() {
      await (await loading)?.close()
    },
  }
}
