"""Listings of a bucket, read into OBJECTS.

    listing = list_objects(["s3://bucket/prefix"], into=Path("audit"))
    listing = list_objects([Path("aws-s3-ls.txt")], into=Path("audit"), layout="{...}")
    listing.objects.to_table(), listing.set_aside

A directory, the output of `aws s3 ls --recursive` or `gsutil ls -l`, the manifest of an S3
Inventory, the JSON of `aws s3api list-multipart-uploads`, or a URI that pyarrow.fs can open.
"""

from tierproof.conformance.audit.listing.objects import list_objects
from tierproof.conformance.audit.reading.kept import Listing

__all__ = ["Listing", "list_objects"]
