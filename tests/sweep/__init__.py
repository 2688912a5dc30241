"""The seed sweep: does a verdict depend on the inputs that were drawn?"""
