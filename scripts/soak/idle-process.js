// A process that does nothing. The delay of its event loop shows how busy the machine is.
import './probe.js'

process.channel?.ref()
