// A process that does nothing: what its event loop waits for is the machine's doing, and not the sandbox's.
import './probe.js'

process.channel?.ref()
