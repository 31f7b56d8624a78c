package language

// Faults is what the parser of a file's notation says of it.
var Faults = faults
