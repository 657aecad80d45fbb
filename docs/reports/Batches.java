import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * What the console producer cannot send. Partition 0 is written; brokers are on localhost.
 *
 * <pre>
 * batch PORT TOPIC PRODUCER_ID SEQUENCE VALUE  an idempotent batch of one record, with epoch 0
 * record PORT TOPIC HOURS VALUE                a record whose timestamp is so many hours ago
 * transactions PORT TOPIC KEY                  a value that is aborted, then a committed tombstone
 * </pre>
 */
public final class Batches {
    private static final short PRODUCE = 0;
    private static final short VERSION = 3;

    public static void main(String[] given) throws Exception {
        int port = Integer.parseInt(given[1]);
        switch (given[0]) {
            case "batch" ->
                    batch(port, given[2], Long.parseLong(given[3]), Integer.parseInt(given[4]), given[5]);
            case "record" -> record(port, given[2], Long.parseLong(given[3]), given[4]);
            case "transactions" -> transactions(port, given[2], given[3]);
            default -> throw new IllegalArgumentException(given[0]);
        }
    }

    private static void batch(int port, String topic, long id, int sequence, String value)
            throws IOException {
        ByteBuffer records = batchOfOne(id, sequence, value.getBytes());
        ByteBuffer request = ByteBuffer.allocate(100 + topic.length() + records.remaining());
        request.putShort(PRODUCE).putShort(VERSION).putInt(0); // the correlation id
        request.putShort((short) -1).putShort((short) -1); // no client id, no transactional id
        request.putShort((short) -1).putInt(15000); // acks=all, the timeout
        request.putInt(1).putShort((short) topic.length()).put(topic.getBytes());
        request.putInt(1).putInt(0).putInt(records.remaining()).put(records).flip();
        try (Socket broker = new Socket("localhost", port)) {
            DataOutputStream out = new DataOutputStream(broker.getOutputStream());
            out.writeInt(request.remaining());
            out.write(request.array(), 0, request.remaining());
            DataInputStream in = new DataInputStream(broker.getInputStream());
            in.skipNBytes(4 + 4 + 4 + 2 + topic.length() + 4 + 4); // up to the error code
            String error = Errors.forCode(in.readShort()).name();
            System.out.println("error " + error + ", offset " + in.readLong());
        }
    }

    /** A batch of the format 2; its lengths are written as one byte, so the value must be short. */
    private static ByteBuffer batchOfOne(long id, int sequence, byte[] value) {
        int size = 61 + 7 + value.length;
        long now = System.currentTimeMillis();
        ByteBuffer batch = ByteBuffer.allocate(size);
        batch.putLong(0).putInt(size - 12).putInt(-1).put((byte) 2).putInt(0); // the checksum: below
        batch.putShort((short) 0).putInt(0).putLong(now).putLong(now); // attributes, last, times
        batch.putLong(id).putShort((short) 0).putInt(sequence).putInt(1);
        batch.put((byte) (2 * (6 + value.length))).put(new byte[3]).put((byte) 1); // no key
        batch.put((byte) (2 * value.length)).put(value).put((byte) 0); // no headers
        CRC32C checksum = new CRC32C();
        checksum.update(batch.array(), 21, size - 21);
        return batch.putInt(17, (int) checksum.getValue()).flip();
    }

    private static void record(int port, String topic, long hours, String value) throws Exception {
        long time = System.currentTimeMillis() - hours * 3_600_000;
        try (KafkaProducer<String, String> producer = producer(port, Map.of())) {
            producer.send(new ProducerRecord<>(topic, 0, time, null, value)).get();
        }
    }

    private static void transactions(int port, String topic, String key) throws Exception {
        try (KafkaProducer<String, String> producer =
                producer(port, Map.of("transactional.id", "writer"))) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, 0, key, "aborted")).get();
            producer.abortTransaction();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, 0, key, null)).get();
            producer.commitTransaction();
        }
    }

    private static KafkaProducer<String, String> producer(int port, Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(more);
        settings.put("bootstrap.servers", "localhost:" + port);
        return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
    }
}
